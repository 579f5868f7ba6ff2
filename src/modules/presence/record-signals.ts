import { dayMs } from "../../kernel/clock.ts";
import { slicesOf, rememberIn } from "../../kernel/lists.ts";
import { z } from "zod";
import type { App } from "../../app.ts";
import type { Receipt } from "../../inbox/rules/receipt.ts";
import { unknownType } from "../../inbox/rules/webhook.ts";
import {
  type WebhookBatch,
  type WebhookHandler,
  webhookHandler,
  type WebhookOf,
} from "../../inbox/webhook-handlers.ts";
import type { KnownSpaces } from "../spaces/space-rights.ts";
import { ofAccount, retryPolicies, defineTask } from "../../tasks/task-kind.ts";
import {
  breakMs,
  isHere,
  type PresenceKind,
  presenceOf,
  type PresenceSign,
  signsToKeep,
  silenceMs,
} from "./rules/presence.ts";
import type { PresenceKey, PresenceRecord, PresenceStore } from "./store/presence-store.ts";

const signalBatchSize = 25;

type Received = { receipt: Receipt; webhook: WebhookOf<"SPACE_USER"> };

/** SPACE_USER (interface 6.2): who joined or left a Space or hid its tab, as evidence. */
export function presenceWebhooks(app: SignalsApp): WebhookHandler {
  const visits = createSpaceChecks(app);
  const handleTogether = async (received: readonly Received[], { isOfCourse }: WebhookBatch) => {
    const [first] = received;
    if (first === undefined) return [];
    const signs = received.map(({ webhook }) => webhook);
    const states = await recordSignals({ ...app, isOfCourse, visits }, first.receipt.environment, signs);
    return received.map(({ webhook }, at) => ({ state: states[at] ?? "kept", ...unknownType(webhook) }));
  };
  return webhookHandler("SPACE_USER", {
    asksClassroom: false,
    subjectOf: ({ spaceId, sessionId, userId }) => [spaceId, sessionId, userId],
    handleTogether,
    handle: async (received, batch) => (await handleTogether([received], batch))[0] ?? { state: "kept" },
  });
}

/** What storing what browsers and the classroom report about people needs. */
export type SignalsApp = Pick<App, "clock" | "presences" | "sessionEnds" | "tasks">;

const kinds: Readonly<Partial<Record<string, PresenceKind>>> = {
  joinSpace: "join",
  leaveSpace: "leave",
  hideTab: "hide",
  unhideTab: "unhide",
};

/**
 * Stores a few webhooks (interface 6.2) of one person in one session of one Space in one write, in any order. Attendance and grades stay as
 * they are.
 * @returns each one's effect: "kept" for a Space of no course, and for an unknown eventType.
 */
async function recordSignals(
  app: SignalsApp & { isOfCourse: KnownSpaces; visits: ReturnType<typeof createSpaceChecks> },
  environment: PresenceKey["environment"],
  signals: readonly Received["webhook"][],
): Promise<("done" | "kept")[]> {
  const signs = signals.flatMap((one) => signOf(one) ?? []);
  const [first] = signals;
  if (first === undefined || signs.length === 0) return signals.map(() => "kept");
  const { spaceId, sessionId, userId } = first;
  if (!(await app.isOfCourse(environment, spaceId))) return signals.map(() => "kept");
  for (const batch of slicesOf(signs, signalBatchSize))
    await keep(app, { environment, spaceId, sessionId, userId }, batch);
  // Done after the signals were stored, so the check sees them.
  const times = signs.map(({ at }) => at);
  await app.visits.enqueue(
    { environment, spaceId },
    {
      leaves: signs.some(({ kind }) => kind === "leave"),
      firstAt: Math.min(...times),
      lastAt: Math.max(...times),
    },
  );
  return signals.map((one) => (signOf(one) === null ? "kept" : "done"));
}

function signOf({ eventType, at, tabId, roomId }: Received["webhook"]): PresenceSign | null {
  const kind = kinds[eventType];
  if (kind === undefined) return null;
  return { at, kind, tab: tabId ?? "", room: roomId ?? "" };
}

/** One write for a known person unless other signs came in between. Then, and at first, one or two. */
async function keep(app: SignalsApp, key: PresenceKey, given: readonly PresenceSign[]): Promise<void> {
  const known = await app.presences.find(key);
  const signs = signsToKeep(known?.signs ?? [], given);
  if (signs.length === 0) {
    await app.presences.heard(key, Math.max(...given.map(({ at }) => at)));
    return;
  }
  if (known !== null) {
    const all = { ...known, signs: [...known.signs, ...signs] };
    if (await app.presences.add(key, known.revision, signs, await stateOf(app, key, all))) return;
  }
  const record = await app.presences.note(key, signs, signs.at(-1)?.kind === "join");
  if (record === null) return;
  const { open, endedAt } = await stateOf(app, key, record);
  if (open !== record.open || endedAt !== record.endedAt)
    await app.presences.settle(key, record.revision, { open, endedAt });
}

/** The state that the signals result in. A repeated signal changes nothing. */
async function stateOf(
  { sessionEnds }: Pick<App, "sessionEnds">,
  key: PresenceKey,
  { signs, endedAt: reportedEnd }: Pick<PresenceRecord, "signs" | "endedAt">,
): Promise<Pick<PresenceRecord, "open" | "endedAt">> {
  const now = Math.max(...signs.map(({ at }) => at));
  const isIn = isHere(presenceOf(signs, { sessionEndedAt: null, now }));
  // A person who seems present may have joined before the session's end and been reported after it.
  const endedAt = reportedEnd ?? (isIn ? await sessionEnds.find(key) : null);
  return { open: isIn && endedAt === null, endedAt };
}

/**
 * Ends the presence of everybody in a session. The time is an upper bound, because the webhook comes after the session was processed
 * (interface 6.3). Repeatable. @param endedAt As reported (ms).
 */
export async function endPresence(
  { presences }: { presences: Pick<PresenceStore, "endSession"> },
  { environment, spaceId, sessionId }: Pick<PresenceKey, "environment" | "spaceId" | "sessionId">,
  endedAt: number,
): Promise<void> {
  await presences.endSession({ environment, spaceId, sessionId }, endedAt);
}

const payload = z.object({ environment: z.string(), spaceId: z.string() });

const facts = z.object({
  /** The time of a sign that came long after it was given (ms), or null. */
  since: z.number().nullable().default(null),
});

/** Checks whether people in a Space held an unplanned class. One task per account and Space. */
export const spaceVisits = defineTask({
  name: "space-visits",
  order: "person-first-in-scope",
  payload,
  facts,
  identityOf: ({ environment, spaceId }) => ofAccount(environment, spaceId),
  retry: retryPolicies["space-visits"],
  whileRunning: "again",
});

type Space = Pick<PresenceKey, "environment" | "spaceId">;

/** Clocks of several machines differ by less than this (ms). */
const marginMs = 5_000;
/** Delayed signals arrive together, so this is how long to wait for the others (ms). */
const quietMs = 10_000;
/** An older signal counts as late (ms). A check reads this far back anyway. */
export const rereadMs = dayMs;
/** How many Spaces a process remembers. */
const maxRemembered = 10_000;

/** A write that hasn't begun yet. Signals until then share it. */
type NextCheck = { dueAt: number; written: Promise<void> };

/**
 * Has a Space checked after signals of presence were stored. Many signals cost one write: a check that is already planned sees them all, and
 * plans the next one itself while people are there. If that check may have begun, concurrent signals share a write.
 */
export function createSpaceChecks({ tasks, clock }: Pick<SignalsApp, "clock" | "tasks">) {
  const planned = new Map<string, number>();
  const next = new Map<string, NextCheck>();
  const last = new Map<string, Promise<void>>();
  const remember = (key: string, dueAt: number) => {
    rememberIn(planned, maxRemembered, key, dueAt);
  };

  /** Makes one write per Space at a time, so it begins after the signals of everybody who shares it were stored. */
  const share = (space: Space, key: string, dueAt: number): Promise<void> => {
    const known = next.get(key);
    if (known !== undefined) {
      known.dueAt = Math.min(known.dueAt, dueAt);
      return known.written;
    }
    const write = async () => {
      await last.get(key)?.catch(() => undefined);
      next.delete(key);
      // A check planned earlier stays if it hasn't begun. What comes after it needs another check.
      remember(key, await tasks.enqueue(spaceVisits, space, { now: clock.now(), dueAt: check.dueAt }));
    };
    const check = { dueAt, written: Promise.resolve() };
    next.set(key, check);
    check.written = write().finally(() => {
      if (last.get(key) === check.written) last.delete(key);
    });
    last.set(key, check.written);
    return check.written;
  };

  return {
    /**
     * @param leaves Whether a person left. If not, the check is for people whose signals stop.
     * @param firstAt When the first of the signs was given (ms), and `lastAt` the last.
     */
    enqueue: async (
      { environment, spaceId }: Space,
      { leaves, firstAt, lastAt }: { leaves: boolean; firstAt: number; lastAt: number },
    ): Promise<void> => {
      const space = { environment, spaceId };
      const now = clock.now();
      const dueAt = Math.max(now, lastAt + (leaves ? breakMs : silenceMs)) + quietMs;
      const key = JSON.stringify([environment, spaceId]);
      if (now - firstAt > rereadMs) {
        remember(key, await tasks.enqueue(spaceVisits, space, { now, dueAt, facts: { since: firstAt } }));
        return;
      }
      const known = planned.get(key) ?? 0;
      if (known <= now + marginMs || known > dueAt) await share(space, key, dueAt);
    },
  };
}

/** Checks a Space because something about an earlier moment (ms) became known: a session's end, or who a visitor was. */
export async function requestCheckAt(
  { tasks, clock }: Pick<SignalsApp, "clock" | "tasks">,
  { environment, spaceId }: Space,
  at: number,
): Promise<void> {
  const now = clock.now();
  const dueAt = Math.max(now, at + breakMs) + quietMs;
  const late = now - at > rereadMs ? { facts: { since: at } } : {};
  await tasks.enqueue(spaceVisits, { environment, spaceId }, { now, dueAt, ...late });
}
