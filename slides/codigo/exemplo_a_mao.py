"""Atenção com números pequenos: a query de um token e depois todas juntas.

Uma linha de K, V e Q para cada token.
Só precisa do numpy: python exemplo_a_mao.py
"""

import sys

import numpy as np

if hasattr(sys.stdout, "reconfigure"):  # há terminais sem √ e sem Σ
    sys.stdout.reconfigure(errors="replace")


def softmax(scores):
    # Tirar o maior deixa o resultado igual, e nenhuma exponencial estoura.
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / np.sum(exp, axis=-1, keepdims=True)


def attention(queries, keys, values):
    scores = queries @ keys.T / np.sqrt(keys.shape[-1])  # (n, n): cada par de tokens
    weights = softmax(scores)  # (n, n): as linhas somam 1
    return weights, weights @ values  # (n, d_v): a mistura


row = ...
K = ...
V = ...
Q = ...

np.set_printoptions(precision=2, suppress=True)

query = Q[row]
products = K @ query
scaled = products / np.sqrt(query.size)
weights = softmax(scaled)
print("q·k         =", products)
print(f"q·k / √{query.size}    =", scaled)
print("a = softmax =", weights)
print("Σ a·v       =", weights @ V)

A, out = attention(Q, K, V)  # agora, uma linha por token
print("\nA =\n", A)
print("O =\n", out)
