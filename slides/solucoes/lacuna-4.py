Q, K, V, dO = dados(4)


def volta(A, Q, K, V, dO):
    """Os gradientes que chegam aos scores, às queries e às chaves."""
    dA = dO @ V.T  # (n, m): o que chega aos pesos
    dS = A * (dA - (A * dA).sum(axis=-1, keepdims=True))
    dQ = dS @ K / np.sqrt(K.shape[-1])
    dK = dS.T @ Q / np.sqrt(K.shape[-1])
    return dS, dQ, dK
