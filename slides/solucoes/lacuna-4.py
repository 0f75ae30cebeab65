Q, K, V, dO = dados(4)
A = pesos(Q, K)

dA = dO @ V.T
dV = A.T @ dO
dS = A * (dA - (A * dA).sum(axis=-1, keepdims=True))
dQ = dS @ K / np.sqrt(K.shape[-1])
dK = dS.T @ Q / np.sqrt(K.shape[-1])
