import { describe, expect, test } from "vitest";
import type { AttendanceObservation } from "../../src/domain/attendance.ts";
import { retryAfter, retryPolicies } from "../../src/tasks/task-kind.ts";
import { nextReading, polledObservation } from "../../src/modules/attendance/rules/attendance-reading.ts";
import { keepsBreakingOff, type JobRun, withRun } from "../../src/modules/operations/rules/job.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const ended = 1_000_000_000_000;

describe("a session's attendance is read", () => {
  test.each([
    ["five minutes after its end", null, ended + 5 * minute],
    ["again an hour after it", ended + 5 * minute, ended + hour],
    ["again after a day", ended + hour + 3_000, ended + day],
    ["again after a week", ended + day, ended + 7 * day],
    ["not after that", ended + 7 * day, null],
    ["not after one late reading that covered them all", ended + 30 * day, null],
    ["once to cover what was missed in two days", ended + 2 * day, ended + 7 * day],
    ["after its end even if somebody read it during the session", ended - hour, ended + 5 * minute],
  ])("%s", (_when, readAt, due) => expect(nextReading(ended, readAt)).toBe(due));

  test("is retried less and less often while it fails, and then only at the next time", () => {
    const after = (attempts: number) => retryAfter(retryPolicies["attendance-readings"], attempts, null);
    expect([1, 2, 3, 9].map(after)).toEqual([1, 2, 4, 256].map((n) => n * minute));
    expect(after(10)).toBeNull();
    expect(nextReading(ended, ended + 2 * hour)).toBe(ended + day);
    expect(nextReading(ended, ended + 8 * day)).toBeNull();
  });
});

describe("the classroom's answer to a reading", () => {
  const webhook = (status: string, at: number): AttendanceObservation => ({
    status,
    notes: null,
    at,
    updatedBy: "host",
  });
  const answer = (status: string, updatedAt: number | null, notes: string | null = null) => ({
    userId: "u",
    status,
    notes,
    updatedAt,
  });
  test.each([
    ["is stored when nothing is known", [], answer("LATE", 50), 100, 50],
    ["without a time counts from the moment of asking", [], answer("LATE", null), 100, 100],
    ["without a time adds no known status", [webhook("LATE", 50)], answer("LATE", null), 100, null],
    ["without a time adds a new status", [webhook("ABSENT", 50)], answer("LATE", null), 100, 100],
    ["with a future time counts from the moment of asking", [], answer("LATE", 900), 100, 100],
    ["with a future time adds no known status", [webhook("LATE", 50)], answer("LATE", 900), 100, null],
    ["counts when only the note differs", [webhook("LATE", 50)], answer("LATE", null, "bus"), 100, 100],
    ["adds nothing to the webhook of the same change", [webhook("LATE", 50)], answer("LATE", 50), 100, null],
    ["adds nothing when its time is less precise", [webhook("LATE", 50)], answer("LATE", 0), 100, null],
    ["keeps its own time when the status differs", [webhook("ABSENT", 50)], answer("LATE", 70), 100, 70],
    ["is kept as older when a webhook is newer", [webhook("ABSENT", 90)], answer("LATE", 70), 100, 70],
    [
      "shows a change and a change back whose webhooks were lost",
      [webhook("LATE", 50)],
      answer("LATE", 70),
      100,
      70,
    ],
  ])("%s", (_what, known, told, askedAt, at) => {
    expect(polledObservation(known, told, askedAt)?.at ?? null).toBe(at);
  });

  test("never wins over a webhook about something later", () => {
    const asked = polledObservation([webhook("ABSENT", 50)], answer("LATE", null), 100);
    expect(asked?.at).toBeLessThan(webhook("PRESENT", 101).at);
  });
});

describe("the list of a job's runs", () => {
  const run = (id: string, outcome: JobRun["outcome"]): JobRun => ({
    id,
    process: "p",
    startedAt: 1,
    endedAt: outcome === null ? null : 2,
    outcome,
    done: null,
    problem: null,
  });

  test("marks a run without an end as broken off when the next one begins", () => {
    const runs = withRun([run("1", null), run("0", "done")], { ...run("2", null), startedAt: 9 });
    expect(runs.map(({ outcome, endedAt }) => [outcome, endedAt])).toEqual([
      [null, null],
      ["broken-off", 9],
      ["done", 2],
    ]);
  });

  test("keeps the latest fifty runs", () => {
    const many = Array.from({ length: 60 }, (_, n) => n).reduce<JobRun[]>(
      (runs, n) => withRun(runs, run(String(n), "done")),
      [],
    );
    expect(many.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, n) => String(59 - n)));
  });

  test("notices a job that ends its process again and again", () => {
    const broken = run("b", "broken-off");
    expect(keepsBreakingOff([broken, broken, broken])).toBe(true);
    expect(keepsBreakingOff([broken, broken])).toBe(false);
    expect(keepsBreakingOff([broken, run("d", "done"), broken])).toBe(false);
  });
});
