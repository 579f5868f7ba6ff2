import { describe, expect, test } from "vitest";
import { type SetUpFacts, setUpProgress, type SetUpStep } from "../../src/modules/operations/rules/set-up.ts";

const account = {
  complete: true,
  connectionChangedAt: 1_000,
  webhooksConnectedAt: null,
  lastWebhookAt: 1_500,
  doctor: { endedAt: 2_000, well: true, running: false },
};
const done: SetUpFacts = {
  account,
  lastLaunchAt: 900,
  deployments: 1,
  undecided: 0,
  defaultsSet: true,
  brandingSet: true,
  marks: {},
};

const stateOf = (step: SetUpStep, facts: Partial<SetUpFacts>) =>
  setUpProgress({ ...done, ...facts }).steps.find((one) => one.step === step)?.state;

test("an institution with everything set up has done all seven steps", () => {
  const { steps, done: count } = setUpProgress(done);
  expect([steps.length, count]).toEqual([7, 7]);
});

test("an institution without its own account has four steps, without those of the account", () => {
  const { steps } = setUpProgress({ ...done, account: null });
  expect(steps.map(({ step }) => step)).toEqual(["launch", "deployments", "defaults", "look"]);
});

describe("the state of a step from the facts:", () => {
  test.each<[SetUpStep, string, Partial<SetUpFacts>, string]>([
    ["connection", "no key yet", { account: { ...account, complete: false } }, "todo"],
    ["webhooks", "no webhook yet", { account: { ...account, lastWebhookAt: null } }, "todo"],
    [
      "webhooks",
      "the service confirmed the address",
      { account: { ...account, lastWebhookAt: null, webhooksConnectedAt: 1_200 } },
      "done",
    ],
    [
      "webhooks",
      "the last webhook came before the connection changed",
      { account: { ...account, lastWebhookAt: 900, webhooksConnectedAt: 950 } },
      "todo",
    ],
    ["doctor", "never run", { account: { ...account, doctor: null } }, "todo"],
    [
      "doctor",
      "found something wrong",
      { account: { ...account, doctor: { endedAt: 2_000, well: false, running: false } } },
      "wrong",
    ],
    [
      "doctor",
      "well, but the key has changed since",
      { account: { ...account, connectionChangedAt: 3_000 } },
      "todo",
    ],
    [
      "doctor",
      "running again",
      { account: { ...account, doctor: { endedAt: 2_000, well: true, running: true } } },
      "running",
    ],
    ["launch", "no launch yet", { lastLaunchAt: null }, "todo"],
    ["deployments", "no deployment seen", { deployments: 0 }, "todo"],
    ["deployments", "an undecided deployment", { deployments: 2, undecided: 1 }, "todo"],
    ["defaults", "nothing set", { defaultsSet: false }, "todo"],
    [
      "defaults",
      "nothing set, and skipped",
      { defaultsSet: false, marks: { defaults: "skipped" } },
      "skipped",
    ],
    ["look", "nothing set, but answered", { brandingSet: false, marks: { look: "done" } }, "done"],
    ["look", "set, although skipped before", { marks: { look: "skipped" } }, "done"],
  ])("%s: %s", (step, _what, facts, state) => expect(stateOf(step, facts)).toBe(state));
});

test("counts skipped steps, but not those to be fixed", () => {
  const facts = { ...done, brandingSet: false, marks: { look: "skipped" as const } };
  expect(setUpProgress(facts).done).toBe(7);
  const wrong = { ...account, doctor: { endedAt: 2_000, well: false, running: false } };
  expect(setUpProgress({ ...facts, account: wrong }).done).toBe(6);
});
