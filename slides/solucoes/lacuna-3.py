q, k, g = dados(3)  # (linhas, d_k), (linhas, chaves, d_k), (linhas, chaves)


def mede(q, k, g, dividir):
    """As medianas do maior peso e do tamanho do gradiente das linhas."""
    S = np.einsum("ld,lkd->lk", q, k)  # um score por linha e chave
    if dividir:
        S = S / np.sqrt(q.shape[-1])
    A = softmax(S)
    maior = A.max(axis=-1)  # o maior peso de cada linha
    return mediana(maior), mediana(tamanho_do_gradiente(A, g))
