import { describe, expect, test } from "vitest";
import { endedByMember, isSessionOver } from "../../src/domain/browser-session.ts";
import { roleAfterRoster, listingAfterRoster } from "../../src/modules/members/rules/roster.ts";
import { isConsoleSessionOver } from "../../src/modules/operations/rules/console-access.ts";
import { capabilitiesOf } from "../../src/lms/products/products.ts";

const minute = 60_000;
const hour = 60 * minute;

test.each([
  ["just begun", { endsAt: 12 * hour, lastSeenAt: 0 }, 1, false],
  ["in use to the last minute", { endsAt: 12 * hour, lastSeenAt: 12 * hour - 2 }, 12 * hour - 1, false],
  ["in use, but twelve hours old", { endsAt: 12 * hour, lastSeenAt: 12 * hour - 1 }, 12 * hour, true],
  ["idle for almost two hours", { endsAt: 12 * hour, lastSeenAt: hour }, 3 * hour - 1, false],
  ["idle for two hours", { endsAt: 12 * hour, lastSeenAt: hour }, 3 * hour, true],
])("a session %s", (_what, session, now, over) => expect(isSessionOver(session, now)).toBe(over));

test.each([
  ["in use within the hour", { endsAt: new Date(12 * hour), usedAt: hour }, 2 * hour - 1, false],
  ["unused for an hour", { endsAt: new Date(12 * hour), usedAt: hour }, 2 * hour, true],
  ["in use, but at its end", { endsAt: new Date(12 * hour), usedAt: 12 * hour - 1 }, 12 * hour, true],
])("a login to the console %s", (_what, session, now, over) => {
  expect(isConsoleSessionOver(session, now)).toBe(over);
});

describe("a session, and what was learned about its person since", () => {
  const teaches = { role: "instructor", active: true } as const;
  test.each([
    ["an instructor who still is one", "instructor", teaches, null],
    ["an instructor who is a learner now", "instructor", { ...teaches, role: "learner" }, "role-changed"],
    ["a learner who is an instructor now: no more rights, no end", "learner", teaches, null],
    ["a learner who left", "learner", { role: "learner", active: false }, "left-course"],
    ["an instructor who left", "instructor", { ...teaches, active: false }, "left-course"],
    ["somebody who is no member any more", "instructor", null, "left-course"],
    ["a launch older than may be believed", "instructor", { ...teaches, sessionsFrom: 501 }, "launch-again"],
    ["a launch that may be believed", "instructor", { ...teaches, sessionsFrom: 500 }, null],
    ["a learner's launch, which gives nothing to doubt", "learner", { ...teaches, sessionsFrom: 501 }, null],
  ] as const)("%s", (_what, role, member, because) => {
    expect(
      endedByMember(
        { role, staffRole: role === "instructor" ? "teacher" : null, only: null, launchedAt: 500 },
        member,
      ),
    ).toBe(because);
  });
});

test("a session of an earlier version, without its instructor's role, asks for a launch", () => {
  const old = { role: "instructor", staffRole: null, launchedAt: 500 } as const;
  expect(endedByMember({ ...old, only: null }, { role: "instructor", active: true })).toBe("launch-again");
  expect(endedByMember({ ...old, only: "entry" }, { role: "instructor", active: true })).toBeNull();
});

describe("Moodle's roster and launch disagree about who teaches", () => {
  /** When reading the roster began. */
  const startedAt = 100 * hour;
  type Known = Parameters<typeof listingAfterRoster>[0] & { roleFrom: "launch" | "roster" };
  const teaches = { role: "instructor", roleFrom: "launch" } as const;
  /** An instructor by a launch, and the hour since which a roster lists them so. */
  const launched = (atHour: number, listed?: "instructor" | "learner", since = 0): Known => ({
    ...teaches,
    lastLaunchAt: atHour * hour,
    ...(listed === undefined ? {} : { listed: { role: listed, since: since * hour } }),
  });
  /** What is stored, as text: "instructor, listed learner since 100, sessions from 99.5". */
  const after = (known: Known, listed: "instructor" | "learner") => {
    const product = capabilitiesOf({ family: "moodle" });
    const { role } = roleAfterRoster(known, listed, { product, startedAt });
    const change = listingAfterRoster(known, listed, { role, startedAt });
    return [
      role,
      ...(change.listed == null ? [] : [`listed ${change.listed.role} since ${change.listed.since / hour}`]),
      ...(change.sessionsFrom == null ? [] : [`sessions from ${change.sessionsFrom / hour}`]),
    ].join(", ");
  };

  test.each<[string, Known, "instructor" | "learner", string]>([
    [
      "an editing teacher, listed for the first time",
      launched(99),
      "instructor",
      "instructor, listed instructor since 100",
    ],
    ["an editing teacher, listed as before", launched(99, "instructor", 5), "instructor", "instructor"],
    [
      "a teacher made a student",
      launched(99, "instructor", 5),
      "learner",
      "learner, listed learner since 100",
    ],
    [
      "the first list that disagrees: the launch is believed for half an hour",
      launched(99),
      "learner",
      "instructor, listed learner since 100, sessions from 99.5",
    ],
    [
      "a second list that disagrees, without a launch between: the same",
      launched(90, "learner", 99),
      "learner",
      "instructor, sessions from 99.5",
    ],
    [
      "a non-editing teacher who has launched again: believed for four hours",
      launched(95, "learner", 50),
      "learner",
      "instructor, sessions from 96",
    ],
    [
      "... but no session from before the first list that disagreed",
      launched(99, "learner", 98),
      "learner",
      "instructor, sessions from 98",
    ],
    [
      "an earlier demand for a new launch is not withdrawn",
      { ...launched(99, "learner", 50), sessionsFrom: 99 * hour },
      "learner",
      "instructor, sessions from 99",
    ],
    ["a student, for whom nothing is stored", { ...launched(99), role: "learner" }, "learner", "learner"],
  ])("%s", (_what, known, listed, expected) => expect(after(known, listed)).toBe(expected));
});
