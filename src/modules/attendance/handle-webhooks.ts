import type { App } from "../../app.ts";
import { type Course, keyOfCourse, type Person } from "../../domain/course.ts";
import type { ReadReceipt } from "../../inbox/receipt-effect.ts";
import { type Receipt, unmatchedOutcome } from "../../inbox/rules/receipt.ts";
import { kindLabels, webhookKind } from "../../inbox/rules/webhook.ts";
import { type WebhookHandler, webhookHandler } from "../../inbox/webhook-handlers.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import { gradeMembers, type GradingApp } from "../grading/grade-members.ts";
import { erasedOutcome, type AttendanceApp, recordObservation } from "./record-attendance.ts";
import type { UnknownWebhooks, UnknownWebhookStore } from "../operations/store/webhook-stores.ts";
import { noteGap } from "./attendance-readings.ts";

/** ATTENDANCE (interface 6.6): one person's attendance in one event. */
export function attendanceWebhooks(app: AttendanceApp & Pick<App, "attendanceReadings">): WebhookHandler {
  return webhookHandler("ATTENDANCE", {
    asksClassroom: true,
    subjectOf: ({ eventId, userId }) => [eventId, userId],
    handle: async ({ receipt, webhook: { eventId, userId, observation } }) => {
      const now = app.clock.now();
      const { environment } = receipt;
      // The classroom may know the event by now.
      if (receipt.state !== "unmatched") await app.askedEvents.hasten(environment, eventId, now);
      const result = await recordObservation(app, { environment, eventId, userId, observation });
      if (result.kind === "erased") return erasedOutcome(now);
      if (result.kind === "unmatched") return unmatchedOutcome(receipt, result, now);
      const { course, person } = result;
      await noteGap(app, result, observation);
      return { state: "done", graded: { course, person } };
    },
  });
}

/** How long one call to the classroom may take (ms), including a second attempt. */
const askingMs = 6_000;

/** Webhooks within this time (ms) may belong to one burst. */
const burstMs = 30_000;

export type GradedEffect = { receipt: Receipt; person: Person };

/**
 * Grades people once their receipts have taken effect. If the classroom answers several questions of one burst, that makes one score.
 * @param of.asking Whether the classroom was asked about these receipts. @returns `end`, to call when the receipts are settled.
 */
export function gradeGathering(
  app: GradingApp & Pick<App, "receipts">,
  { asking, aboutWhom }: { asking: boolean; aboutWhom: (receipt: Receipt) => string | null },
) {
  const gathered: { course: Course; person: Person; about: string }[] = [];
  const soon = () => ({ by: app.clock.now() + askingMs, since: app.clock.now() - burstMs });
  return {
    grade: async (course: Course, effects: readonly GradedEffect[]): Promise<void> => {
      const about = new Map(effects.map(({ receipt, person }) => [person.id, aboutWhom(receipt)]));
      const own = effects.map(({ receipt }) => receipt.id);
      const known = [...about.values()].filter((one) => one !== null);
      const asked = await app.receipts.stillAskedAbout(known, soon(), own);
      const more = asking && (await app.receipts.isReceiving());
      const people = [...new Map(effects.map(({ person }) => [person.id, person])).values()];
      const waits = ({ id }: Person) => more || asked.has(about.get(id) ?? "");
      await gradeMembers(
        app,
        course,
        people.filter((person) => !waits(person)),
      );
      const waiting = people.filter(waits);
      await gradeMembers(app, course, waiting, "gathered");
      for (const person of waiting) gathered.push({ course, person, about: about.get(person.id) ?? "" });
    },
    end: async (): Promise<void> => {
      if (gathered.length === 0) return;
      const asked = await app.receipts.stillAskedAbout(
        gathered.map(({ about }) => about),
        soon(),
        [],
      );
      const over = gathered.filter(({ about }) => !asked.has(about));
      for (const [course, some] of Map.groupBy(over, (one) => one.course)) {
        const courseKey = keyOfCourse(course);
        const ids = some.map(({ person }) => person.id);
        await app.deliveries.endGathering(courseKey, ids, app.clock.now());
      }
      if (over.length > 0) app.wake("deliveries");
    },
  };
}

/** Counts settled webhooks for the metrics, and undocumented ones for operators. A kill may lose a few. Never throws. */
export async function countKinds(
  app: {
    unknownWebhooks: Pick<UnknownWebhookStore, "add">;
    onKind?: (labels: ReturnType<typeof kindLabels>, count: number) => void;
    logger: Logger;
  },
  settled: readonly ReadReceipt[],
): Promise<void> {
  const kinds = Map.groupBy(settled, ({ webhook }) => JSON.stringify(kindLabels(webhook)));
  for (const alike of kinds.values())
    for (const { webhook } of alike.slice(0, 1)) app.onKind?.(kindLabels(webhook), alike.length);
  try {
    for (const more of unknownIn(settled)) await app.unknownWebhooks.add(more);
  } catch (thrown) {
    app.logger.warn({ error: messageOf(thrown) }, "unknown webhooks could not be counted");
  }
}

function unknownIn(settled: readonly ReadReceipt[]): UnknownWebhooks[] {
  const counts = new Map<string, UnknownWebhooks>();
  for (const { receipt, webhook } of settled) {
    const { family, eventType, known } = webhookKind(webhook);
    if (known) continue;
    const { environment, receivedAt: at } = receipt;
    const key = JSON.stringify([environment, family, eventType]);
    const before = counts.get(key) ?? { environment, family, eventType, count: 0, firstAt: at, lastAt: at };
    const { count, firstAt, lastAt } = before;
    counts.set(key, {
      ...before,
      count: count + 1,
      firstAt: Math.min(firstAt, at),
      lastAt: Math.max(lastAt, at),
    });
  }
  return [...counts.values()];
}
