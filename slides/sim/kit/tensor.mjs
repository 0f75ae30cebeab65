// The little linear algebra that the models share. A matrix is an array of rows.

// dot([1, 2], [0, 2]) -> 4
export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

export function norm(a) {
  return Math.sqrt(dot(a, a));
}

// (n, d) times (d, m)
export function times(A, B) {
  const columns = transposed(B);
  return A.map((row) => columns.map((column) => dot(row, column)));
}

export function transposed(A) {
  return A[0].map((_, j) => A.map((row) => row[j]));
}

// Scores as weights that sum to 1: softmax([0, 0]) -> [0.5, 0.5]; -Infinity gives weight 0.
export function softmax(scores) {
  const top = Math.max(...scores);
  const exponentials = scores.map((score) => Math.exp(score - top));
  const total = exponentials.reduce((a, b) => a + b);
  return exponentials.map((e) => e / total);
}

// The weighted mean of rows: mixed([0.5, 0.5], [[1, 0], [0, 1]]) -> [0.5, 0.5]
export function mixed(weights, rows) {
  return rows[0].map((_, j) =>
    dot(
      weights,
      rows.map((row) => row[j]),
    ),
  );
}

// With `causal`, row i keeps its scores up to column i and the others become -Infinity.
export function masked(scores, causal) {
  return causal ? scores.map((row, i) => row.map((score, j) => (j <= i ? score : -Infinity))) : scores;
}
