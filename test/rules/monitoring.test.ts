import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type RunningTool, startTool } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { required } from "../support/required.ts";
import { folderForAll } from "../support/folders.ts";

const folder = join(import.meta.dirname, "../../docs/monitoring");
const dashboard = z
  .object({
    panels: z.array(
      z.object({
        title: z.string(),
        targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).optional(),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync(join(folder, "dashboard.json"), "utf8")));
const alerts = readFileSync(join(folder, "alerts.yaml"), "utf8");
const rules = [...alerts.matchAll(/- alert: (\w+)\n\s+expr: (.+)\n/g)].map(([, name = "", expr = ""]) => ({
  name,
  expr,
}));
const panels = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ name: title, expr })),
);

let tool: RunningTool;
let known: Map<string, Set<string>>;
const home = await folderForAll();
beforeAll(async () => {
  const config = readConfig({
    PUBLIC_URL: "https://tool.test",
    PORT: "0",
    DATABASE_URL: `file:${home}`,
    SECRET_KEY: "a secret key of at least thirty-two bytes",
    ALARM_UNSENT_MINUTES: "90",
    CLASSROOM_BASE_URL: "https://classroom.test",
    CLASSROOM_APP_URL: "https://classroom.test",
    CLASSROOM_API_KEY: "key-of-a-test",
    CLASSROOM_WEBHOOK_SECRET: "a-secret-for-webhooks",
  });
  tool = await startTool(config, { logger: createLogger("silent") });
  known = figures();
});
afterAll(async () => {
  await tool.stop();
});

/** Every metric with its labels. */
function figures(): Map<string, Set<string>> {
  const known = z.array(
    z.object({
      name: z.string(),
      labelNames: z.array(z.string()),
      type: z.string(),
      help: z.string().min(10),
    }),
  );
  const found = new Map<string, Set<string>>([["up", new Set()]]);
  for (const { name, labelNames, type } of known.parse(
    tool.metrics.registry.getMetricsAsArray().map((one) => ({ ...one, type: String(one.type) })),
  )) {
    found.set(name, new Set(labelNames));
    if (type === "histogram")
      for (const part of ["_bucket", "_sum", "_count"])
        found.set(name + part, new Set([...labelNames, "le"]));
  }
  return found;
}

const words = new Set(
  "sum max min count avg rate increase histogram_quantile topk time abs by without and or unless on".split(
    " ",
  ),
);
const scraped = ["job", "instance"];

/** Metrics and labels that an expression uses. @throws when it cannot be an expression. */
function namesIn(expr: string): {
  metrics: string[];
  labels: { metric: string; label: string }[];
  by: string[];
} {
  const rest = expr.replaceAll(/"[^"]*"/g, '""');
  const open: string[] = [];
  for (const character of rest) {
    if ("({[".includes(character)) open.push(character);
    const wanted = { ")": "(", "}": "{", "]": "[" }[character];
    if (wanted !== undefined && open.pop() !== wanted) throw new Error(`brackets do not match: ${expr}`);
  }
  if (open.length > 0 || (expr.match(/"/g)?.length ?? 0) % 2 === 1) throw new Error(`never closed: ${expr}`);
  const labels = [...rest.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, metric = "", inside = ""]) =>
    inside.split(",").map((one) => {
      const label = required(/^\s*(\w+)(=|!=|=~|!~)""\s*$/.exec(one)?.[1], `a matcher in ${expr}`);
      return { metric, label };
    }),
  );
  const by = [...rest.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
  const bare = rest.replaceAll(/\{[^}]*\}|\bby \([^)]*\)|\[\d+[smhd]\]/g, " ");
  const metrics = (bare.match(/[A-Za-z_]\w*/g) ?? []).filter((word) => !words.has(word));
  return { metrics, labels, by };
}

describe.each([
  ["the alert rules", rules, 15],
  ["the dashboard", panels, 30],
])("%s", (_what, expressions, atLeast) => {
  test("name only figures and labels that exist", () => {
    expect(expressions.length).toBeGreaterThan(atLeast);
    for (const { name, expr } of expressions) {
      const { metrics, labels, by } = namesIn(expr);
      expect(
        metrics.filter((one) => !known.has(one)),
        name,
      ).toEqual([]);
      expect(metrics, name).not.toEqual([]);
      for (const { metric, label } of labels)
        expect([...(known.get(metric) ?? []), ...scraped], `${name}: ${metric}`).toContain(label);
      const all = [...metrics.flatMap((one) => [...(known.get(one) ?? [])]), ...scraped];
      for (const label of by) expect(all, name).toContain(label);
    }
  });
});

test("every metric of ours is on the dashboard, in a rule, or shown in another form", () => {
  const shown = new Set([...rules, ...panels].flatMap(({ expr }) => namesIn(expr).metrics));
  const ours = [...known.keys()].filter(
    (one) => /^spaces_lti_/.test(one) && !/_(sum|count|bucket)$/.test(one),
  );
  const missing = ours.filter((one) => !shown.has(one) && !shown.has(`${one}_bucket`));
  expect(missing).toEqual([]);
});

test("the rule about waiting scores uses the limit that the tool was given, as /readyz does", async () => {
  const { expr } = rules.find(({ name }) => name === "SpacesLtiScoresWait") ?? { expr: "" };
  expect(expr).toBe(
    'max(spaces_lti_oldest_waiting_seconds{queue="scores"}) > max(spaces_lti_unsent_alarm_seconds)',
  );
  expect(await tool.metrics.registry.metrics()).toContain("\nspaces_lti_unsent_alarm_seconds 5400\n");
});

test("no label can hold an id, an address or a person", () => {
  const allowed =
    /^(state|environment|queue|job|outcome|way|answer|family|event_type|method|route|status|door|operation|priority|kind|what|level|version|node|le|major|minor|patch|type|space|quantile)$/;
  const labels = [...figures().values()].flatMap((one) => [...one]);
  expect([...new Set(labels)].filter((label) => !allowed.test(label))).toEqual([]);
});

test("an invalid expression is found", () => {
  expect(() => namesIn('sum(rate(spaces_lti_launches_total{outcome="x"}[5m])')).toThrow("never closed");
  expect(() => namesIn('up{job~"x"}')).toThrow("a matcher in");
  expect(namesIn("max(spaces_lti_no_such_thing) > 1").metrics).toEqual(["spaces_lti_no_such_thing"]);
});
