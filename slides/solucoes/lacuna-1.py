q, K, V = dados(1)


def consulta(q, K, V):
    """A saída da query q sobre as chaves K, (m, d_k), e os valores V, (m, d_v)."""
    scores = K @ q / np.sqrt(len(q))
    fracoes = np.exp(scores) / np.exp(scores).sum()
    saida = fracoes @ V
    return saida
