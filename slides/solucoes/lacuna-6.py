X, ordem, base = dados(6)
O = cabeca(X)


def preve(O, ordem):
    """O que cabeca(X[ordem]) daria, a partir de O = cabeca(X)."""
    return O[ordem]


def gira(x, posicao, base):
    """x, com cada par de dimensões vizinhas girado pelo seu ângulo."""
    d = len(x)
    alfa = posicao * base ** (-np.arange(0, d, 2) / d)
    girado = np.empty(d)
    girado[0::2] = x[0::2] * np.cos(alfa) - x[1::2] * np.sin(alfa)
    girado[1::2] = x[0::2] * np.sin(alfa) + x[1::2] * np.cos(alfa)
    return girado
