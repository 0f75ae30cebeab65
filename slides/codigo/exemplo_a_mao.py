"""Atenção com números pequenos: a query de "banco" e depois todas juntas.

Tokens: sentei, banco, praça. Um value se lê [assento, dinheiro]; o de "banco" é
[0.5, 0.5], indeciso, e são os vizinhos que resolvem.
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


#             sentei  banco   praça
K = np.array([[1.0, 0], [1, 1], [0, 2]])
V = np.array([[1, 0], [0.5, 0.5], [1, 0]])
Q = np.array([[2, 0], [1, 2], [0, 1]])

np.set_printoptions(precision=2, suppress=True)

query = Q[1]  # a linha de "banco"
products = K @ query
scaled = products / np.sqrt(query.size)
weights = softmax(scaled)
print("q·k         =", products)
print("q·k / √2    =", scaled)
print("a = softmax =", weights)
print("Σ a·v       =", weights @ V)

A, out = attention(Q, K, V)  # agora, uma linha por token
print("\nA =\n", A)
print("O =\n", out)
