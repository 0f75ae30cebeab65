def bytes_por_token(L, h_kv, d_h, b):
    """Os bytes que o cache guarda de cada token."""
    return 2 * L * h_kv * d_h * b


def entrada(prompt, novos):
    """Os ids, numa lista, que passam pela rede neste passo."""
    return novos[-1:] if novos else prompt
