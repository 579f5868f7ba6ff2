import type { Course, Person } from "../domain/course.ts";
import type { KnownSpaces } from "../modules/spaces/space-rights.ts";
import type { Receipt } from "./rules/receipt.ts";
import type { KnownFamily, Webhook } from "./rules/webhook.ts";
import type { ReceiptOutcome } from "./store/receipt-store.ts";

export type WebhookOf<Family extends Webhook["family"]> = Extract<Webhook, { family: Family }>;

/** "kept": of no course, or without meaning here. `graded`: whose score must be computed first. */
export type HandledWebhook = Pick<ReceiptOutcome, "state"> &
  Partial<ReceiptOutcome> & { graded?: { course: Course; person: Person } };

/** Looked up once for a batch. */
export type WebhookBatch = { isOfCourse: KnownSpaces };

type Received<Family extends Webhook["family"]> = { receipt: Receipt; webhook: WebhookOf<Family> };

type HandlerOf<Family extends KnownFamily> = {
  /** Repeating it changes nothing. @throws the classroom client's errors: tried again later. */
  handle: (received: Received<Family>, batch: WebhookBatch) => Promise<HandledWebhook>;
  /** As `handle`, for webhooks with one subject; one result each. Left out: in turn. */
  handleTogether?: (
    received: readonly Received<Family>[],
    batch: WebhookBatch,
  ) => Promise<readonly HandledWebhook[]>;
  /** Webhooks with one subject are processed in turn. Left out: each has its own. */
  subjectOf?: (webhook: WebhookOf<Family>) => readonly string[];
  /** The classroom may have to be asked: these hold up no others. */
  asksClassroom: boolean;
};

/** For any webhook: those of another family are kept. */
export type WebhookHandler = {
  family: KnownFamily;
  asksClassroom: boolean;
  /** Null: one by one. */
  handleTogether:
    | ((
        received: readonly Received<Webhook["family"]>[],
        batch: WebhookBatch,
      ) => Promise<readonly HandledWebhook[]>)
    | null;
  handle: (received: Received<Webhook["family"]>, batch: WebhookBatch) => Promise<HandledWebhook>;
  /** Null: each has its own. */
  subjectOf: (webhook: Webhook) => readonly string[] | null;
};

/** A family without a handler is kept. */
export type WebhookHandlers = ReadonlyMap<Webhook["family"], WebhookHandler>;

const unhandled: HandledWebhook = { state: "kept" };

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
      const reported = own(received);
      return reported === null ? unhandled : handle(reported, batch);
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

/** @throws when two modules want the same family. */
export function webhookHandlers(handlers: readonly WebhookHandler[]): WebhookHandlers {
  const table = new Map<Webhook["family"], WebhookHandler>();
  for (const handler of handlers) {
    if (table.has(handler.family)) throw new Error(`two modules handle webhooks of ${handler.family}`);
    table.set(handler.family, handler);
  }
  return table;
}
