def bytes_de_S(h, n, b):
    """Os bytes da matriz de scores de h cabeças, n tokens, b bytes por número."""
    return h * n**2 * b


def maior_n(memoria, h, b):
    """O maior n, inteiro, cuja matriz de scores cabe em `memoria` bytes."""
    return int((memoria // (h * b)) ** 0.5)
