n, real = dados(5)  # real: verdadeiro nos tokens, falso no enchimento


def causal(n):
    """(n, n): o que somar aos scores para que ninguém veja o futuro."""
    return np.triu(np.full((n, n), -np.inf), k=1)


def padding(real):
    """(n, n): o que somar aos scores para que ninguém veja o enchimento."""
    return np.tile(np.where(real, 0.0, -np.inf), (len(real), 1))
