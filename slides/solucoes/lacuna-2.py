Q, K, V = dados(2)


def atencao(Q, K, V, mascara=0.0):
    """Os pesos, (n, m), e a saída, (n, d_v), de n queries sobre m chaves."""
    S = Q @ K.swapaxes(-1, -2) / K.shape[-1] ** 0.5 + mascara
    exponenciais = np.exp(S - S.max(axis=-1, keepdims=True))
    A = exponenciais / exponenciais.sum(axis=-1, keepdims=True)
    saida = A @ V
    return A, saida


A, saida = atencao(Q, K, V)
