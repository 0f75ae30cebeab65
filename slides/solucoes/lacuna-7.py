atende = empresta(atencao)  # a sua, ou a do laboratório
Q, K, V = dados(7)  # Q: (n, h · d_h); K e V: (n, h_kv · d_h)


def gqa(Q, K, V, h, h_kv):
    """Atenção de h cabeças de query sobre h_kv de chave e valor: (n, h · d_h)."""
    n, d_h = len(Q), Q.shape[-1] // h
    q = Q.reshape(n, h, d_h).swapaxes(0, 1)  # (h, n, d_h)
    k = K.reshape(n, h_kv, d_h).swapaxes(0, 1).repeat(h // h_kv, axis=0)
    v = V.reshape(n, h_kv, d_h).swapaxes(0, 1).repeat(h // h_kv, axis=0)
    A, o = atende(q, k, v)
    return o.swapaxes(0, 1).reshape(n, h * d_h)


def parametros(d, h, h_kv):
    """Quantos números a camada aprende, com um viés por coluna."""
    colunas = h_kv * (d // h)
    return 2 * (d * d + d) + 2 * (d * colunas + colunas)
