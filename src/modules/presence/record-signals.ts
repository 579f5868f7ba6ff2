import type { App } from "../../app.ts";
import { isHere, type PresenceKind, presenceOf, type PresenceSign, signsToKeep } from "./rules/presence.ts";
import type { WebhookOf } from "../../inbox/webhook-handlers.ts";
import type { PresenceKey, PresenceRecord } from "./store/presence-store.ts";
import type { KnownSpaces } from "../spaces/known-spaces.ts";
import { signalBatchSize } from "./rules/limits.ts";
import type { VisitWishes } from "./space-visits.ts";

export type RecordSignalsDeps = Pick<App, "presences" | "sessionEnds"> & {
  isOfCourse: KnownSpaces;
  visits: VisitWishes;
};

const kinds: Readonly<Partial<Record<string, PresenceKind>>> = {
  joinSpace: "join",
  leaveSpace: "leave",
  hideTab: "hide",
  unhideTab: "unhide",
};

/** A SPACE_USER webhook. */
export type PresenceSignal = WebhookOf<"SPACE_USER">;

/**
 * A person joined or left a Space or hid its tab (interface 6.2): one write for a few webhooks. Evidence: attendance and grades stay untouched; what the people were there for is looked into later. Repetition and order do not matter.
 * @param signals All of one person in one session of one Space.
 * @returns the effect of each: "kept" when the Space is no course's (then nothing besides the webhook is stored) or the
 *   eventType is unknown.
 */
export async function recordSignals(
  deps: RecordSignalsDeps,
  environment: PresenceKey["environment"],
  signals: readonly PresenceSignal[],
): Promise<("done" | "kept")[]> {
  const signs = signals.flatMap((one) => signOf(one) ?? []);
  const [first] = signals;
  if (first === undefined || signs.length === 0) return signals.map(() => "kept");
  const { spaceId, sessionId, userId } = first;
  if (!(await deps.isOfCourse(environment, spaceId))) return signals.map(() => "kept");
  for (let from = 0; from < signs.length; from += signalBatchSize)
    await keep(deps, { environment, spaceId, sessionId, userId }, signs.slice(from, from + signalBatchSize));
  // After the signs were stored, so that the look sees them.
  const times = signs.map(({ at }) => at);
  await deps.visits.want(
    { environment, spaceId },
    {
      leaves: signs.some(({ kind }) => kind === "leave"),
      firstAt: Math.min(...times),
      lastAt: Math.max(...times),
    },
  );
  return signals.map((one) => (signOf(one) === null ? "kept" : "done"));
}

function signOf({ eventType, at, tabId, roomId }: PresenceSignal): PresenceSign | null {
  const kind = kinds[eventType];
  if (kind === undefined) return null;
  return { at, kind, tab: tabId ?? "", room: roomId ?? "" };
}

/** Of somebody known in one write, unless others came meanwhile: then, and at first, in one and maybe another. */
async function keep(
  deps: RecordSignalsDeps,
  key: PresenceKey,
  given: readonly PresenceSign[],
): Promise<void> {
  const known = await deps.presences.find(key);
  const signs = signsToKeep(known?.signs ?? [], given);
  if (signs.length === 0) {
    await deps.presences.heard(key, Math.max(...given.map(({ at }) => at)));
    return;
  }
  if (known !== null) {
    const all = { ...known, signs: [...known.signs, ...signs] };
    if (await deps.presences.add(key, known.revision, signs, await stateOf(deps, key, all))) return;
  }
  const record = await deps.presences.note(key, signs, signs.at(-1)?.kind === "join");
  if (record === null) return;
  const { open, endedAt } = await stateOf(deps, key, record);
  if (open !== record.open || endedAt !== record.endedAt)
    await deps.presences.settle(key, record.revision, { open, endedAt });
}

/** What the signals amount to; a repeated one changes nothing. */
async function stateOf(
  { sessionEnds }: Pick<RecordSignalsDeps, "sessionEnds">,
  key: PresenceKey,
  { signs, endedAt: reportedEnd }: Pick<PresenceRecord, "signs" | "endedAt">,
): Promise<Pick<PresenceRecord, "open" | "endedAt">> {
  const now = Math.max(...signs.map(({ at }) => at));
  const isIn = isHere(presenceOf(signs, { sessionEndedAt: null, now }));
  // A person who seems present may have joined before the session's end and be reported after it.
  const endedAt = reportedEnd ?? (isIn ? await sessionEnds.find(key) : null);
  return { open: isIn && endedAt === null, endedAt };
}
