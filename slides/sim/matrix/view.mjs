// The matrix as a heat map, read row by row.

import { bars } from "../kit/bars.mjs";
import { bound, choice, number, switches } from "../kit/controls.mjs";
import { element, write } from "../kit/draw.mjs";
import { heatMap } from "../kit/heat.mjs";

export function build(panel) {
  const { data, words, text, format } = panel;
  const functions = data.functions.map((name) => [name, words.functions[name]]);
  const side = element(
    "div",
    { class: "sim-stack" },
    bound(panel, choice, "function", { options: functions }),
    bound(panel, number, "dk", { ...data.dk, whole: true }),
    element("div", { class: "sim-row matrix-toggles" }, ...switches(panel)),
    rowBars(panel),
  );
  const fields = (weights) => {
    const top = Math.max(...weights);
    return { heaviest: data.tokens[weights.indexOf(top)], weight: format.fixed(2)(top) };
  };
  const map = heatMap(panel, {
    names: data.tokens,
    side: 424,
    label: words.rows,
    rows: { title: words.queries, role: "q" },
    columns: { title: words.keys, role: "k" },
    choose: (row) => panel.set({ row }),
  });
  panel.follow(({ row, causal }, { weights }) =>
    map.show({ weights, row, causal, heard: text("row_heard", { token: data.tokens[row], ...fields(weights[row]) }) }),
  );
  return {
    body: [map.element, side],
    heard: ({ row }, { weights }) => text("heard", { token: data.tokens[row], ...fields(weights[row]) }),
  };
}

const MOST = 12; // rows of bars that fit

// The chosen row as bars: every token, or the heaviest ones of a long sentence and the rest together.
function rowBars({ data, words, text, format, follow }) {
  const [name, sum] = [element("h3"), element("strong")];
  const shown = Math.min(data.tokens.length, MOST);
  const lines = bars(shown, { role: "k" });
  follow((state, result) => {
    const weights = result.weights[state.row];
    const top = Math.max(...weights);
    write(name, text("row", { token: data.tokens[state.row] }));
    write(sum, text("sum", { sum: format.plain(4)(weights.reduce((a, b) => a + b)) }));
    lines.show(
      entries(weights, data.tokens, words.others, shown).map(([name, weight]) => ({
        name,
        share: weight,
        text: format.fixed(2)(weight),
        top: weight === top,
      })),
    );
  });
  return element("div", { class: "matrix-row" }, element("div", { class: "sim-row matrix-heading" }, name, sum), ...lines.elements);
}

function entries(weights, tokens, others, shown) {
  const all = weights.map((weight, i) => [tokens[i], weight, i]);
  if (all.length <= shown) return all;
  const kept = new Set([...all].sort((a, b) => b[1] - a[1]).slice(0, shown - 1));
  const rest = all.filter((one) => !kept.has(one)).reduce((sum, one) => sum + one[1], 0);
  return [...all.filter((one) => kept.has(one)), [others, rest]];
}
