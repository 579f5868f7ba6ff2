import type { Course, Person } from "../domain/course.ts";
import type { KnownSpaces } from "../modules/spaces/known-spaces.ts";
import type { Receipt } from "./rules/receipt.ts";
import type { KnownFamily } from "./rules/webhook-family.ts";
import type { Webhook } from "./rules/webhook.ts";
import type { ReceiptOutcome } from "./store/receipt-store.ts";

export type WebhookOf<Family extends Webhook["family"]> = Extract<Webhook, { family: Family }>;

/**
 * What became of a webhook. "kept": it concerns no course, or means nothing to us. `graded`: whose score is to be computed
 * before the webhook may count as done.
 */
export type HandledWebhook = Pick<ReceiptOutcome, "state"> &
  Partial<ReceiptOutcome> & { graded?: { course: Course; person: Person } };

/** What is looked up once for all webhooks that are processed together. */
export type WebhookBatch = { isOfCourse: KnownSpaces };

type Received<Family extends Webhook["family"]> = { receipt: Receipt; webhook: WebhookOf<Family> };

/** What a module does with webhooks of one family. */
export type HandlerOf<Family extends KnownFamily> = {
  /**
   * Lets it take effect; repeating it changes nothing.
   * @throws the classroom client's errors: the webhook is processed again later.
   */
  handle: (received: Received<Family>, batch: WebhookBatch) => Promise<HandledWebhook>;
  /** As `handle`, for webhooks with the same subject in one go; left out: one after the other. One result for each. */
  handleTogether?: (
    received: readonly Received<Family>[],
    batch: WebhookBatch,
  ) => Promise<readonly HandledWebhook[]>;
  /** What it is about: webhooks with the same subject are processed in turn. Left out: each is about something else. */
  subjectOf?: (webhook: WebhookOf<Family>) => readonly string[];
  /** Whether the classroom may have to be asked: such webhooks wait where they hold up no others. */
  asksClassroom: boolean;
};

/** A handler for whatever webhook comes: those of another family are kept. */
export type WebhookHandler = {
  family: KnownFamily;
  asksClassroom: boolean;
  /** Null when webhooks of the family are processed one by one. */
  handleTogether:
    | ((
        received: readonly Received<Webhook["family"]>[],
        batch: WebhookBatch,
      ) => Promise<readonly HandledWebhook[]>)
    | null;
  handle: (received: Received<Webhook["family"]>, batch: WebhookBatch) => Promise<HandledWebhook>;
  /** Null when each is about something else. */
  subjectOf: (webhook: Webhook) => readonly string[] | null;
};

/** Handlers by family; a family without one is kept. */
export type WebhookHandlers = ReadonlyMap<Webhook["family"], WebhookHandler>;

const kept: HandledWebhook = { state: "kept" };

/** The handler of a family, for the table of handlers. */
export function webhookHandler<Family extends KnownFamily>(
  family: Family,
  { handle, handleTogether, subjectOf, asksClassroom }: HandlerOf<Family>,
): WebhookHandler {
  const isOwn = (webhook: Webhook): webhook is WebhookOf<Family> => webhook.family === family;
  const own = ({ receipt, webhook }: Received<Webhook["family"]>): Received<Family> | null =>
    isOwn(webhook) ? { receipt, webhook } : null;
  return {
    family,
    asksClassroom,
    handle: async (received, batch) => {
      const told = own(received);
      return told === null ? kept : handle(told, batch);
    },
    handleTogether:
      handleTogether === undefined
        ? null
        : (received, batch) =>
            handleTogether(
              received.flatMap((one) => own(one) ?? []),
              batch,
            ),
    subjectOf: (webhook) => (isOwn(webhook) ? (subjectOf?.(webhook) ?? null) : null),
  };
}

/** The table of handlers. @throws when two modules want the same family. */
export function webhookHandlers(handlers: readonly WebhookHandler[]): WebhookHandlers {
  const table = new Map<Webhook["family"], WebhookHandler>();
  for (const handler of handlers) {
    if (table.has(handler.family)) throw new Error(`two modules handle webhooks of ${handler.family}`);
    table.set(handler.family, handler);
  }
  return table;
}
