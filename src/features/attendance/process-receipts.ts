import type { Course, Person } from "../../domain/course.ts";
import { inLanes } from "../../kernel/in-lanes.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { ReceiptOutcome, ReceiptStore } from "../../storage/receipt-store.ts";
import { gradeMembers } from "../grading/grade-member.ts";
import { claimLasts, withClaim } from "../with-claim.ts";
import { groupReceipts, type ReceiptGroup } from "./group-receipts.ts";
import { failedEffect, type ReceiptEffect, receiptEffect, type ReceiptEffectDeps } from "./receipt-effect.ts";

export type ProcessReceiptsDeps = ReceiptEffectDeps & { receipts: ReceiptStore; logger: Logger };

/** So many are taken at once: after a burst each learner is graded once or twice, and not for each webhook. */
const most = 500;
/** So many groups take effect side by side; their writes share commits. */
const sideBySide = 16;
/** So many of those that may have to ask the classroom, which takes a few calls a second. */
const asking = 4;

/**
 * Claims the receipts that are due longest and lets them take effect: facts first, then the scores of everybody
 * concerned, and only then they are done. A crash leaves the claims to run out and the receipts to be processed again,
 * which changes nothing where they had taken effect already.
 * @returns false when no receipt is due.
 */
export async function processReceipts(deps: ProcessReceiptsDeps): Promise<boolean> {
  const { receipts, clock } = deps;
  const holder = deps.ids.id("hold");
  const now = clock.now();
  const claimed = await receipts.claimDue(holder, now, now + claimLasts, most);
  if (claimed.length === 0) return false;
  const left = new Set(claimed.map(({ id }) => id));
  const carryOut = async (groups: readonly ReceiptGroup[], lanes: number) => {
    const effects = await graded(deps, (await inLanes(lanes, groups, (group) => inTurn(deps, group))).flat());
    await settle(deps, holder, effects);
    for (const { receipt } of effects) left.delete(receipt.id);
  };
  await withClaim(
    deps,
    (until) => receipts.extend([...left], holder, until),
    async () => {
      const { known, others } = await groupReceipts(deps, claimed);
      await carryOut(known, sideBySide);
      // Each for itself: nobody's score waits for what the classroom has to say about somebody else's.
      await inLanes(asking, others, (group) => carryOut([group], 1));
    },
  );
  return true;
}

async function inTurn(deps: ReceiptEffectDeps, group: ReceiptGroup): Promise<ReceiptEffect[]> {
  const effects: ReceiptEffect[] = [];
  for (const read of group) effects.push(await receiptEffect(deps, read));
  return effects;
}

/** Computes the scores of everybody concerned; where that fails, the receipts are to be processed again. */
async function graded(
  deps: ReceiptEffectDeps,
  effects: readonly ReceiptEffect[],
): Promise<readonly ReceiptEffect[]> {
  const courses = new Map<string, { course: Course; people: Map<string, Person> }>();
  for (const effect of effects) {
    if (effect.graded === null) continue;
    const { course, person } = effect.graded;
    const known = courses.get(course.id) ?? { course, people: new Map<string, Person>() };
    known.people.set(person.id, person);
    courses.set(course.id, known);
  }
  const failures = new Map<string, unknown>();
  for (const { course, people } of courses.values()) {
    await gradeMembers(deps, course, [...people.values()]).catch((thrown: unknown) => {
      failures.set(course.id, thrown);
    });
  }
  return effects.map((effect) => {
    const courseId = effect.graded?.course.id ?? "";
    return failures.has(courseId) ? failedEffect(deps, effect.receipt, failures.get(courseId)) : effect;
  });
}

/** Writes down what became of them; most have become the same. */
async function settle(
  deps: ProcessReceiptsDeps,
  holder: string,
  effects: readonly ReceiptEffect[],
): Promise<void> {
  const alike = new Map<string, { outcome: ReceiptOutcome; ids: string[] }>();
  for (const { receipt, outcome } of effects) {
    const { state, reason } = outcome;
    const key = JSON.stringify([state, reason, state === "done" || outcome.nextTryAt]);
    const same = alike.get(key) ?? { outcome, ids: [] };
    same.ids.push(receipt.id);
    alike.set(key, same);
  }
  for (const { outcome, ids } of alike.values()) {
    await deps.receipts.settle(ids, holder, outcome);
    const { state, reason } = outcome;
    deps.logger.info({ count: ids.length, first: ids[0], state, reason }, "webhooks processed");
  }
}
