import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeGuess, type PasswordGuesses } from "../../src/modules/operations/rules/console-access.ts";

test("no rhythm of attempts allows more than nine in a quarter of an hour", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 200 }), (pauses) => {
      let known: PasswordGuesses | null = null;
      let now = 0;
      const allowed: number[] = [];
      for (const pause of pauses) {
        now += pause;
        const verdict = judgeGuess(known, now);
        if (!verdict.allowed) continue;
        known = verdict.next;
        allowed.push(now);
      }
      for (const from of allowed) {
        const within = allowed.filter((at) => at >= from && at < from + 15 * 60_000);
        expect(within.length).toBeLessThanOrEqual(9);
      }
    }),
  );
});

test("the first five attempts are answered, and the sixth waits half a minute", () => {
  let known: PasswordGuesses | null = null;
  for (let tries = 0; tries < 5; tries += 1) {
    const verdict = judgeGuess(known, 0);
    known = verdict.allowed ? verdict.next : null;
  }
  expect(known?.count).toBe(5);
  expect(judgeGuess(known, 29_999)).toEqual({ allowed: false, blockedUntil: 30_000 });
  expect(judgeGuess(known, 30_000)).toMatchObject({ allowed: true });
});

test("a clock that is set back locks nobody out for longer than the longest wait", () => {
  const known = { count: 9, blockedUntil: 86_400_000, forgottenAt: 87_300_000 };
  expect(judgeGuess(known, 86_400_000 - 15 * 60_000)).toMatchObject({ allowed: false });
  expect(judgeGuess(known, 0)).toMatchObject({ allowed: true, next: { count: 1 } });
});

test("a wait never exceeds a quarter of an hour, and attempts are forgotten in the end", () => {
  let known: PasswordGuesses | null = null;
  let now = 0;
  for (let time = 0; time < 60; time += 1) {
    const verdict = judgeGuess(known, now);
    if (!verdict.allowed) throw new Error("the wait had passed");
    expect(verdict.next.blockedUntil - now).toBeLessThanOrEqual(15 * 60_000);
    known = verdict.next;
    now = known.blockedUntil;
  }
  expect(known?.count).toBe(60);
  const later = judgeGuess(known, known?.forgottenAt ?? 0);
  expect(later).toMatchObject({ allowed: true, next: { count: 1 } });
});
