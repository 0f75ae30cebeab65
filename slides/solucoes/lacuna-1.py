q, K, V = dados(1)

scores = K @ q / np.sqrt(len(q))
fracoes = np.exp(scores) / np.exp(scores).sum()
saida = fracoes @ V
