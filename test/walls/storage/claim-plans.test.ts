import { describe, expect, test } from "vitest";
import type { SentScore } from "../../../src/modules/grading/rules/delivery.ts";
import { type SeenQuery, seenQueries } from "../../support/builders/seen-queries.ts";
import { openOnEachEngine } from "./open-engine.ts";

/** That claiming costs the same whatever waits elsewhere, read from the engines' own plans and counts. */
describe.each(await openOnEachEngine())("A claim", ({ database, stores }) => {
  let made = 0;

  const score: SentScore = { score: 50, maximum: 100, comment: null };
  const wantScores = async (registrationId: string, count: number, now: number) => {
    const courseId = `course ${(made += 1)}`;
    for (let at = 0; at < count; at += 500) {
      const learners = Array.from({ length: Math.min(500, count - at) }, (_, n) => ({
        personId: `person ${at + n}`,
        sub: "sub",
        seen: { regrade: 1, summary: 1 },
        scores: new Map([["attendance", score]]),
        left: false,
      }));
      const newId = () => `made ${(made += 1)}`;
      await stores.deliveries.want({ registrationId, courseId }, learners, { now, newId });
    }
  };

  /** By an index of the registration, of an id or of heads, in its order. */
  const goesByScope = ({ collection, indexes, sorts }: SeenQuery) =>
    !sorts &&
    indexes.length > 0 &&
    indexes.every((index) =>
      collection === "dueheads"
        ? /^(kind_1_dueAt_1|dueAt_1_kind_1|_id|sqlite_autoindex)/.test(index)
        : /^(registrationId_1|_id|sqlite_autoindex)/.test(index),
    );
  const read = (seen: readonly SeenQuery[]) => seen.reduce((sum, one) => sum + one.read, 0);

  test("of a score reads as much beside three thousand scores of a busy LMS as beside a hundred", async () => {
    const claim = (now: number) =>
      seenQueries(database, async () => {
        const pass = (id: string) => (id === "busy" ? "busy" : null);
        expect((await stores.deliveries.claimDue("me", now, now, pass))?.registrationId).toBe("other");
        expect(await stores.deliveries.busyLanes("other", now)).toBe(0);
        expect(await stores.deliveries.busyLanes("busy", now)).toBe(0);
      });
    await wantScores("busy", 100, 1_000);
    await wantScores("other", 3, 2_000);
    const few = await claim(10_000);
    await wantScores("busy", 2_900, 1_000);
    const many = await claim(10_000);
    expect(few.filter((one) => !goesByScope(one))).toEqual([]);
    expect(many.filter((one) => !goesByScope(one))).toEqual([]);
    expect(read(few)).toBeGreaterThan(0);
    expect(read(many)).toBeLessThanOrEqual(read(few));
  }, 60_000);
});
