import { expect, test } from "vitest";
import { webhookHandler } from "../../src/inbox/webhook-handlers.ts";
import { type Module, requireAllDone } from "../../src/module.ts";
import { jobNames } from "../../src/modules/operations/rules/job.ts";
import { retryPolicies } from "../../src/tasks/task-kind.ts";

const kinds = Object.keys(retryPolicies);
const job = (name: (typeof jobNames)[number]) => ({
  name,
  at: "0 3 * * *",
  run: () => Promise.resolve(null),
});
const families = [
  ...(["ATTENDANCE", "SCHEDULE", "SPACE_USER", "SPACE_SESSION", "SPACE_RECORDING"] as const),
  ...(["PROGRAM_AND_COHORT", "CONTROL_CENTER_ALERT"] as const),
];
/** Modules that together handle everything except one name. */
const allBut = (left: string): Module[] => [
  { jobs: jobNames.filter((name) => name !== left).map(job) },
  ...families
    .filter((family) => family !== left)
    .map((family) => ({
      webhooks: [
        webhookHandler(family, { handle: () => Promise.resolve({ state: "done" }), asksClassroom: false }),
      ],
    })),
];

test("accepts modules that handle every documented webhook, job and kind of task", () => {
  expect(() => {
    requireAllDone(allBut(""), kinds);
  }).not.toThrow();
});

test.each([
  ...families.map((family) => [`webhooks of ${family}`, family] as const),
  ...jobNames.map((name) => [`the job ${name}`, name] as const),
  ...kinds.map((kind) => [`tasks of the kind ${kind}`, kind] as const),
])("the tool does not start while nothing handles %s", (what, left) => {
  expect(() => {
    requireAllDone(
      allBut(left),
      kinds.filter((kind) => kind !== left),
    );
  }).toThrow(new Error(`no module takes: ${what}`));
});
