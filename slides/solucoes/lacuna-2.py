Q, K, V = dados(2)


def atencao(Q, K, V, mascara=0.0):
    """Os pesos, (n, m), e a saída, (n, d_v), de n queries sobre m chaves."""
    S = Q @ K.mT / K.shape[-1] ** 0.5 + mascara
    S = S - S.max(axis=-1, keepdims=True)  # não muda os pesos e evita exponenciais enormes
    A = np.exp(S)
    A = A / A.sum(axis=-1, keepdims=True)
    saida = A @ V
    return A, saida
