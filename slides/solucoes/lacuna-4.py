Q, K, V, dO = dados(4)
A = pesos(Q, K)

dV = A.T @ dO
dA = dO @ V.T
dS = A * (dA - (A * dA).sum(axis=-1, keepdims=True))
dQ = dS @ K / np.sqrt(K.shape[-1])
dK = dS.T @ Q / np.sqrt(K.shape[-1])
