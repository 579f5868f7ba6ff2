/** One bar for each value, from left to right; places and sizes in percent of the drawing. */
export type Bar = { x: number; y: number; width: number; height: number };

/** What the rules of a chart are drawn at. */
export type ChartRule = { y: number; value: number };

/** The part of its place that a bar fills. */
const fillShare = 0.72;
/** Above the highest bar there is room for the rule's number. */
const topLength = 14;

/** Bars up to the first round number that none exceeds. */
export function barsOf(values: readonly number[]): { bars: readonly Bar[]; rule: ChartRule } {
  const highest = roundUp(Math.max(0, ...values));
  const place = 100 / Math.max(1, values.length);
  const height = (value: number) => (value / highest) * (100 - topLength);
  return {
    bars: values.map((value, n) => ({
      x: rounded(n * place + (place * (1 - fillShare)) / 2),
      y: rounded(100 - height(value)),
      width: rounded(place * fillShare),
      height: rounded(height(value)),
    })),
    rule: { y: topLength, value: highest },
  };
}

/** To a whole number of one digit with zeros behind, or 15, 150 ... */
function roundUp(value: number): number {
  if (value <= 10) return [1, 2, 5, 10].find((one) => one >= value) ?? 10;
  const scale = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((one) => one * scale >= value) ?? 10;
  return factor * scale;
}

function rounded(percent: number): number {
  return Math.round(percent * 100) / 100;
}
