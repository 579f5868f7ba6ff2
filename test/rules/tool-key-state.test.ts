import { expect, test } from "vitest";
import { toolKeyStates } from "../../src/modules/registration/rules/registration.ts";

const now = 1_000;
const cases: [string, { usedFrom: number; retiredAt: number | null }[], string[]][] = [
  ["the only key signs", [{ usedFrom: 1, retiredAt: null }], ["signing"]],
  [
    "during the lead time the present key goes on signing although its end is known",
    [
      { usedFrom: 2_000, retiredAt: null },
      { usedFrom: 1, retiredAt: 9_000 },
    ],
    ["published", "signing"],
  ],
  [
    "from its moment on the next key signs, and the one before is still published",
    [
      { usedFrom: 1_000, retiredAt: null },
      { usedFrom: 1, retiredAt: 9_000 },
    ],
    ["signing", "retiring"],
  ],
  [
    "a withdrawn key is over at that very moment",
    [
      { usedFrom: 500, retiredAt: null },
      { usedFrom: 1, retiredAt: 1_000 },
    ],
    ["signing", "over"],
  ],
  ["no key, no state", [], []],
];

test.each(cases)("%s", (_what, keys, states) => expect(toolKeyStates(keys, now)).toEqual(states));
