# Loops over the elements, rows and slices of small arrays: what scripts do where no one call does
# the whole. Each program is run as it stands under NumPy.
from harness import measure, np


def gauss_seidel(n, sweeps):
    A = np.zeros((n, n))
    A[0] = 1.0
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                A[i, j] = 0.25 * (A[i - 1, j] + A[i + 1, j] + A[i, j - 1] + A[i, j + 1])
    return A


def cholesky(A):
    n = len(A)
    L = np.zeros((n, n))
    for j in range(n):
        L[j, j] = np.sqrt(A[j, j] - np.dot(L[j, :j], L[j, :j]))
        for i in range(j + 1, n):
            L[i, j] = (A[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
    return L


def floyd_warshall(distances):
    D = distances.copy()
    n = D.shape[0]
    for k in range(n):
        for i in range(n):
            D[i] = np.minimum(D[i], D[i, k] + D[k])
    return D


def stencil(n, steps):
    u = np.zeros(n)
    u[n // 2] = 1.0
    c = 0.2
    for _ in range(steps):
        u[1:-1] += c * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


def slices(n):
    V = np.arange(n * n * n, dtype=float).reshape(n, n, n)
    W = np.zeros((n, n, n))
    total = 0.0
    for i in range(n):
        plane = V[i]
        W[:, i] = plane
        total += plane.sum()
        for j in range(n):
            row = plane[j]
            column = plane[:, j]
            W[i, j] = row[::-1]
            W[i, :, j] += 0.5 * column
            total += row.sum() - V[j, i].max()
    return W, total


side = np.arange(60)
positive = np.minimum.outer(side, side) + np.eye(60) + 1.0
distances = 1.0 + (np.arange(100)[:, None] * 7 + np.arange(100) * 13) % 101

measure("Gauss-Seidel by elements, 100 x 100", lambda: gauss_seidel(100, 3))
measure("Cholesky by elements and rows, 60", lambda: cholesky(positive))
measure("Floyd-Warshall by rows, 100", lambda: floyd_warshall(distances))
measure("stencil of 1000, 10,000 steps", lambda: stencil(1000, 10000))
measure("slices of 30 x 30 x 30", lambda: slices(30))
