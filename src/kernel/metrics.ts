import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Clock } from "./clock.ts";
import { inTime, remembered } from "./async.ts";

type GaugeRows = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/**
 * What `/metrics` shows, each name declared once. Monitoring relies on names, units and labels (docs/monitoring). A label has few
 * values that name kinds of things, never an id, an address or a person.
 */
export type Metrics = {
  registry: Registry;
  counter: <Label extends string>(name: string, help: string, labels: readonly Label[]) => Counter<Label>;
  /** In seconds. */
  histogram: <Label extends string>(name: string, help: string, labels: readonly Label[]) => Histogram<Label>;
  /** Reads the rows when asked, for at most a twentieth of the time. A failed reading is counted, and its rows are left out. */
  gauge: (name: string, help: string, labels: readonly string[], read: () => Promise<GaugeRows>) => void;
};

/** In seconds: fast ones are answers from the store, then pages, then calls over the internet, then calls that hang. */
const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A slower reading is left out, so the process's own values appear in any case. */
const readTimeoutMs = 3_000;

/** Includes the metrics of the process itself. All names begin with "spaces_lti_". */
export function createMetrics(deps: { clock: Clock }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const prefixed = (name: string) => `spaces_lti_${name}`;
  collectDefaultMetrics({ register: registry });
  const unread = new Counter({
    name: prefixed("unread_figures_total"),
    help: "Figures that could not be read from the store when they were asked for",
    registers,
  });
  return {
    registry,
    counter: (name, help, labelNames) => new Counter({ name: prefixed(name), help, labelNames, registers }),
    histogram: (name, help, labelNames) =>
      new Histogram({ name: prefixed(name), help, labelNames, registers, buckets: secondsBuckets }),
    gauge: (name, help, labelNames, read) => {
      const rows = remembered(deps, read);
      new Gauge({
        name: prefixed(name),
        help,
        labelNames,
        registers,
        async collect() {
          try {
            const read = await inTime(rows(), readTimeoutMs);
            this.reset();
            for (const [labels, value] of read) this.set(labels, value);
          } catch {
            unread.inc();
            if (labelNames.length === 0) this.set(NaN);
            else this.reset();
          }
        },
      });
    },
  };
}

export function rowsByLabel(label: string, counts: Readonly<Record<string, number>>): GaugeRows {
  return Object.entries(counts).map(([value, count]) => [{ [label]: value }, count] as const);
}
