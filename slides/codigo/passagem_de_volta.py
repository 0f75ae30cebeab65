"""Os gradientes de uma cabeça de atenção, pela fórmula e por diferenças finitas.

O softmax não devolve o gradiente multiplicado por um fator: de cada elemento ele
tira a média da linha, ponderada pelos pesos.
Só precisa do numpy: python passagem_de_volta.py
"""

import sys

import numpy as np

if hasattr(sys.stdout, "reconfigure"):  # há terminais sem travessão
    sys.stdout.reconfigure(errors="replace")


def softmax(scores):
    exp = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exp / np.sum(exp, axis=-1, keepdims=True)


def forward(Q, K, V):
    A = softmax(Q @ K.T / np.sqrt(K.shape[-1]))
    return A, A @ V


def backward(dO, Q, K, V):
    A, _ = forward(Q, K, V)
    dA = dO @ V.T
    mean = np.sum(A * dA, axis=-1, keepdims=True)  # a média da linha, com os pesos dela
    dS = A * (dA - mean)  # a jacobiana do softmax
    root = np.sqrt(K.shape[-1])
    return {"dQ": dS @ K / root, "dK": dS.T @ Q / root, "dV": A.T @ dO, "dS": dS}


def finite_differences(loss, M, step=1e-6):
    """dL/dM: quanto muda a perda quando um só elemento anda um passo para cada lado."""
    gradient = np.empty_like(M)
    for at in np.ndindex(M.shape):
        here = M[at]
        M[at] = here + step
        above = loss()
        M[at] = here - step
        below = loss()
        M[at] = here
        gradient[at] = (above - below) / (2 * step)
    return gradient


rng = np.random.default_rng(0)
Q, K, V, dO = (rng.normal(size=(3, 4)) for _ in range(4))
gradients = backward(dO, Q, K, V)


def loss():
    """Uma perda cujo gradiente em relação a O é dO."""
    return np.sum(dO * forward(Q, K, V)[1])


def agrees(name, M, tolerance=1e-8):
    """Abaixo da tolerância, o que sobra é arredondamento, e muda de máquina para máquina."""
    largest = np.abs(finite_differences(loss, M) - gradients[name]).max()
    return f"{name}: {'abaixo' if largest < tolerance else 'ACIMA'} de {tolerance:.0e}"


np.set_printoptions(precision=3, suppress=True)
print("A, cuja soma em cada linha é 1:\n", forward(Q, K, V)[0])
print("dQ:\n", gradients["dQ"])
errors = "  ".join((agrees("dQ", Q), agrees("dK", K), agrees("dV", V)))
print("erro máximo contra diferenças finitas —", errors)
sums = np.abs(np.round(gradients["dS"].sum(axis=-1), 12))
print("soma de cada linha de dS:", sums, "(zero, como tem de ser)")
