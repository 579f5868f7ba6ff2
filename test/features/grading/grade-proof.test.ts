import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sessionColumn } from "../../../src/modules/grading/rules/column.ts";
import {
  resendCourse,
  resendProgress,
  resendScore,
  resolveConflict,
  syncCourse,
} from "../../../src/modules/grading/send-again.ts";
import {
  arrivalTimes,
  type ProofFilter,
  showGradeSummary,
  showProof,
} from "../../../src/modules/grading/show-grades.ts";
import { policyWith } from "../../support/builders/grading-course.ts";
import { seenQueries } from "../../support/builders/seen-queries.ts";
import { openRegisterCourse } from "../../support/builders/register-course.ts";

const course = await openRegisterCourse();
const { stores, key, place } = course;
const everything: ProofFilter = { state: null, sectionId: null, search: "", page: 1 };
const show = async (change: Partial<ProofFilter> = {}) =>
  showProof(stores, await course.course(), { ...everything, ...change });
const names = async (change: Partial<ProofFilter> = {}) => (await show(change)).rows.map(({ name }) => name);

beforeEach(() => course.empty());
afterAll(() => course.close());

/** A learner with a score of 100 in the gradebook. */
async function delivered(name: string, sectionIds: readonly string[] = []): Promise<void> {
  await course.enrol(name, sectionIds);
  await course.fact(`per-${name}`, "e1", "PRESENT");
  await course.grade(`per-${name}`);
  await course.deliver();
}

/** The state of a learner's score after an attempt. */
async function becomes(name: string, change: Parameters<typeof stores.deliveries.settle>[3]): Promise<void> {
  await stores.deliveries.resend(key, [await idOf(name)], course.clock.now());
  const now = course.clock.now();
  const claimed = await stores.deliveries.claimDue("somebody", now, now + 1_000);
  await stores.deliveries.settle(claimed?.id ?? "", "somebody", claimed?.desired?.revision ?? 0, {
    again: false,
    waitingSince: null,
    ...change,
  });
}
const idOf = async (name: string) => (await course.deliveryOf(`per-${name}`))?.id ?? "";
const isHeld = (name: string) =>
  becomes(name, { state: "held", foreign: { score: 95, maximum: 100, seenAt: 5_000 } });
const isRefused = (name: string) => becomes(name, { state: "refused", refusal: "grade-locked" });

/** Delivers when the workers are woken. @returns what was sent */
async function thenDelivered(act: (deps: typeof course.deps) => Promise<unknown>): Promise<string[]> {
  const sent: Promise<string[]>[] = [];
  await act({ ...course.deps, wake: () => void sent.push(course.deliver()) });
  return (await Promise.all(sent)).flat();
}
const points = (grade: { score: number | null } | null) => String(grade?.score ?? "none");
async function decide(name: string, answer: "send-ours" | "leave-theirs", at = place): Promise<void> {
  const conflict = { deliveryId: await idOf(name), answer, actor: "per-Ina" };
  await thenDelivered((deps) => resolveConflict(deps, at, conflict, points));
}

describe("What the gradebook has of a course", () => {
  test("lists what needs somebody first, then everybody by name, with numbers", async () => {
    for (const name of ["Zoe", "Ann", "Ben", "Cem"]) await delivered(name);
    await isRefused("Zoe");
    await isHeld("Cem");
    const proof = await show();
    expect(proof.rows.map(({ name, state }) => [name, state].join(" "))).toEqual([
      "Cem held",
      "Zoe refused",
      "Ann delivered",
      "Ben delivered",
    ]);
    expect(proof.counts).toEqual({ held: 1, refused: 1, waiting: 0, left: 0, delivered: 2, idle: 0 });
    expect(await stores.deliveries.countOfCourse(key)).toEqual(proof.counts);
  });

  test("is filtered by state, section and part of a name, ignoring accents", async () => {
    await stores.sections.record(key, { lmsSectionId: "7", lmsName: "A", lmsSetName: null }, "sec_7");
    await delivered("Zoë Müller", ["7"]);
    await delivered("Ann", ["8"]);
    await isRefused("Ann");
    expect(await names({ search: "muller" })).toEqual(["Zoë Müller"]);
    expect(await names({ search: "sub-per-Ann" })).toEqual(["Ann"]);
    expect(await names({ state: "refused" })).toEqual(["Ann"]);
    expect(await names({ sectionId: "7" })).toEqual(["Zoë Müller"]);
    expect((await show({ sectionId: "no such section" })).filter.sectionId).toBeNull();
    expect(await names({ search: "nobody" })).toEqual([]);
  });

  test("comes in pages of a hundred above 150, and counts 300 learners in five columns by indexes", async () => {
    const people = await course.enrolMany(300);
    const scores = new Map(
      ["attendance", ...["e1", "e2", "e3", "e4"].map(sessionColumn)].map((column) => [
        column,
        { score: 50, maximum: 100, comment: null },
      ]),
    );
    await stores.deliveries.setDesired(
      key,
      people.map((personId) => ({
        personId,
        sub: personId,
        seen: { regrade: 0, summary: 1 },
        scores,
        left: false,
      })),
      { now: 1, newId: () => course.deps.ids.id("dlv") },
    );
    const first = await show();
    expect([first.rows.length, first.pages, first.listed]).toEqual([100, 15, 1_500]);
    expect((await show({ page: 99 })).filter.page).toBe(15);
    expect((await show({ search: "Learner 010" })).rows).toHaveLength(5);
    const seen = await seenQueries(course, () => show());
    expect(seen.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
    expect(seen.length, "a few for each line of the page, none for the others").toBeLessThan(300);
  });

  test("is on the course's page in numbers", async () => {
    for (const name of ["Ann", "Ben", "Cem", "Dan"]) await delivered(name);
    for (const name of ["Ann", "Ben"]) await isRefused(name);
    await isHeld("Dan");
    const summary = await showGradeSummary({ ...course.deps, unsentAlarmAfter: 1 }, await course.course());
    expect(summary.counts).toMatchObject({ delivered: 1, refused: 2, held: 1 });
    expect(summary.unsent).toMatchObject({ since: null, tooLong: false });
  });
});

describe("The time from mark to gradebook", () => {
  const marked = async (name: string, tookMs: number) => {
    await course.enrol(name);
    await course.correct(`per-${name}`, "e1", "PRESENT");
    await course.grade(`per-${name}`);
    course.pass(tookMs);
    await course.deliver();
  };
  const times = async (within: Parameters<typeof arrivalTimes>[1] = key) => {
    const { medianMs, slowestMs, ...counts } = await arrivalTimes(course.deps, within);
    const seconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1_000));
    return { ...counts, median: seconds(medianMs), slowest: seconds(slowestMs) };
  };

  test("is the median and the slowest of the last day, for a course, an LMS and all", async () => {
    expect(await times()).toEqual({ arrived: 0, median: null, slowest: null });
    for (const [name, seconds] of [
      ["Ann", 60],
      ["Ben", 4],
      ["Cem", 10],
    ] as const)
      await marked(name, seconds * 1_000);
    const three = { arrived: 3, median: 10, slowest: 60 };
    for (const within of [key, { registrationId: key.registrationId }, null])
      expect(await times(within)).toEqual(three);
    expect(await times({ ...key, courseId: "another" })).toMatchObject({ arrived: 0 });
    course.pass(25 * 3_600_000);
    expect(await times()).toMatchObject({ arrived: 0 });
  });

  test("counts from the first mark in a score, even one of the classroom", async () => {
    await course.enrol("Ann");
    await course.fact("per-Ann", "e1", "LATE");
    await course.grade("per-Ann");
    course.pass(30_000);
    await course.fact("per-Ann", "e2", "PRESENT");
    await course.grade("per-Ann");
    course.pass(5_000);
    await course.deliver();
    expect(await times()).toMatchObject({ arrived: 1, slowest: 35 });
  });

  test("ignores scores due for another reason: a rule, a request, a mark of last week", async () => {
    await marked("Ann", 1_000);
    await course.setPolicy(policyWith({ points: 10 }));
    await course.regrade();
    await course.deliver();
    expect(await times()).toMatchObject({ arrived: 0 });
    await resendCourse(course.deps, place, "per-Ina");
    await course.deliver();
    expect(await times()).toMatchObject({ arrived: 0 });
    await course.enrol("Ben");
    await course.fact("per-Ben", "e1", "PRESENT", course.clock.now() - 7 * 86_400_000);
    await course.grade("per-Ben");
    expect(await course.deliver()).toHaveLength(1);
    expect(await times()).toMatchObject({ arrived: 0 });
  });

  test("ignores a mark taken back before it was sent, and one on a grade that a teacher changed", async () => {
    await marked("Ann", 1_000);
    course.pass(25 * 3_600_000);
    const mark = async (status: "LATE" | "PRESENT") => {
      await course.correct("per-Ann", "e1", status);
      await course.grade("per-Ann");
    };
    await mark("LATE");
    await mark("PRESENT");
    await resendCourse(course.deps, place, "per-Ina");
    expect(await course.deliver()).toHaveLength(1);
    expect(await times()).toMatchObject({ arrived: 0 });
    await isHeld("Ann");
    await mark("LATE");
    await decide("Ann", "send-ours");
    expect(await course.deliveryOf("per-Ann")).toMatchObject({ state: "delivered" });
    expect(await times()).toMatchObject({ arrived: 0 });
  });

  test("ignores scores that were held back, even when they arrive in the end", async () => {
    for (const name of ["Ann", "Ben", "Cem"]) await marked(name, 1_000);
    await isHeld("Ann");
    await isRefused("Ben");
    expect(await times()).toMatchObject({ arrived: 1 });
    course.pass(3_600_000);
    await thenDelivered((deps) => syncCourse(deps, place, "per-Ina"));
    expect(await times()).toMatchObject({ arrived: 1, slowest: 1 });
  });
});

describe("An instructor who has grades sent again", () => {
  test("sees the progress, even of another process, and a second press before the end does nothing", async () => {
    for (const name of ["Ann", "Ben", "Cem"]) await delivered(name);
    await isHeld("Cem");
    expect(await resendProgress(stores, place)).toBeNull();
    expect(await resendCourse(course.deps, place, "per-Ina")).toBe(true);
    expect(await resendProgress(stores, place)).toMatchObject({ state: "running", done: 0, total: 2 });
    expect(await resendCourse(course.deps, place, "per-Ina")).toBe(false);
    await isRefused("Ann"); // the first one claimed
    expect(await resendProgress(stores, place)).toMatchObject({ state: "running", done: 1, total: 2 });
    expect(await course.deliver()).toHaveLength(1);
    expect(await resendProgress(stores, place)).toMatchObject({ state: "done", done: 2, total: 2 });
    expect(await course.deliveryOf("per-Cem")).toMatchObject({ state: "held" });
    expect((await course.audit()).map(({ what, by }) => [what, by.personId])).toEqual([
      ["scores-resent", "per-Ina"],
    ]);
  });

  test("can send one learner's grades alone, and none of another course", async () => {
    await course.enrol("Ina");
    for (const name of ["Ann", "Ben"]) await delivered(name);
    const [ann, ben] = [await idOf("Ann"), await idOf("Ben")];
    await thenDelivered((deps) => resendScore(deps, place, ann, "per-Ina"));
    expect(await course.audit()).toMatchObject([{ what: "score-resent", on: { name: "Ann" } }]);
    await thenDelivered((deps) => resendScore(deps, { ...place, id: "another" }, ben, "per-Ina"));
    expect(await course.deliver()).toEqual([]);
  });

  test("sends what was refused, with an entry in the change log", async () => {
    await delivered("Ann");
    await isRefused("Ann");
    const sent = await thenDelivered((deps) => syncCourse(deps, place, "per-Ina"));
    expect(sent).toEqual(["per-Ann attendance 100"]);
    expect(await course.audit()).toMatchObject([{ what: "scores-synced", by: { personId: "per-Ina" } }]);
  });
});

describe("A grade that a teacher changed", () => {
  test("is replaced by ours when an instructor says so, with both in the change log", async () => {
    await delivered("Ann");
    await isHeld("Ann");
    await decide("Ann", "send-ours");
    expect(await course.deliveryOf("per-Ann")).toMatchObject({ state: "delivered" });
    const [line] = await course.audit();
    expect(line).toMatchObject({ what: "score-overruled", before: "95", after: "100", on: { name: "Ann" } });
  });

  test("stays when an instructor says so, needs nobody any longer, and is logged once", async () => {
    await delivered("Ann");
    await isHeld("Ann");
    await decide("Ann", "leave-theirs");
    await decide("Ann", "leave-theirs");
    expect((await show()).rows.map(({ state }) => state)).toEqual(["left"]);
    expect(await stores.deliveries.countOfCourse(key)).toMatchObject({ held: 0, left: 1 });
    expect((await course.audit()).map(({ what }) => what)).toEqual(["score-left"]);
  });

  test("cannot be decided from another course, or once it is no longer held", async () => {
    await delivered("Ann");
    await isHeld("Ann");
    await decide("Ann", "send-ours", { ...place, id: "another" });
    expect(await course.deliveryOf("per-Ann")).toMatchObject({ state: "held", overruled: null });
    await decide("Ann", "send-ours");
    await decide("Ann", "leave-theirs");
    expect((await course.audit()).map(({ what }) => what)).toEqual(["score-overruled"]);
  });
});
