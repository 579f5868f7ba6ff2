import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Clock } from "./clock.ts";
import { inTime } from "./in-time.ts";
import { remembered } from "./remembered.ts";

/** Values of a gauge by its labels. */
export type GaugeRows = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/**
 * What `/metrics` shows. Names, units and labels are promised: the dashboard and the alert rules of docs/monitoring use them.
 * Labels name kinds of things and are few; never an id, an address or a person. Each name is declared once.
 */
export type Metrics = {
  registry: Registry;
  counter: <Label extends string>(name: string, help: string, labels: readonly Label[]) => Counter<Label>;
  /** A time in seconds. */
  histogram: <Label extends string>(name: string, help: string, labels: readonly Label[]) => Histogram<Label>;
  /**
   * A value that is read when somebody asks for it. At most a twentieth of the time goes into each reading, however often
   * it is asked for; a reading that fails leaves its rows out and is counted.
   */
  gauge: (name: string, help: string, labels: readonly string[], read: () => Promise<GaugeRows>) => void;
};

/** Bounds in seconds: an answer from the store, a page, a call over the internet, something that hangs. */
const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A reading that takes longer (ms) is left out, so that what the process knows of itself is shown in any case. */
const readTimeoutMs = 3_000;

/** An empty set of metrics, with those of the process itself. All names begin with "spaces_lti_". */
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

/** The rows of a gauge whose one label names what is counted. */
export function rowsByLabel(label: string, counts: Readonly<Record<string, number>>): GaugeRows {
  return Object.entries(counts).map(([value, count]) => [{ [label]: value }, count] as const);
}
