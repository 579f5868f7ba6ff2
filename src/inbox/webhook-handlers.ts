import type { Course, Person } from "../domain/course.ts";
import type { KnownSpaces } from "../modules/spaces/space-rights.ts";
import type { Receipt } from "./rules/receipt.ts";
import type { KnownFamily, Webhook } from "./rules/webhook.ts";
import type { ReceiptOutcome } from "./store/receipt-store.ts";

export type WebhookOf<Family extends Webhook["family"]> = Extract<Webhook, { family: Family }>;

/** "kept": it has no course, or no meaning here. `graded`: the person whose score must be computed first. */
export type HandledWebhook = Pick<ReceiptOutcome, "state"> &
  Partial<ReceiptOutcome> & { graded?: { course: Course; person: Person } | null };

/** Facts that are looked up once for a batch. */
export type WebhookBatch = { isOfCourse: KnownSpaces };

type Received<Family extends Webhook["family"]> = { receipt: Receipt; webhook: WebhookOf<Family> };

type HandlerOf<Family extends KnownFamily> = {
  /** Handling a webhook again changes nothing. @throws the classroom client's errors, which are tried again later */
  handle: (received: Received<Family>, batch: WebhookBatch) => Promise<HandledWebhook>;
  /** As `handle`, for webhooks about one subject; returns one result for each. Left out: they are handled in turn. */
  handleTogether?: (
    received: readonly Received<Family>[],
    batch: WebhookBatch,
  ) => Promise<readonly HandledWebhook[]>;
  /** Webhooks about the same subject are processed in turn. Left out: each has its own subject. */
  subjectOf?: (webhook: WebhookOf<Family>) => readonly string[];
  /** Whether handling may ask the classroom; such webhooks don't hold up others. */
  asksClassroom: boolean;
};

/** A handler that accepts any webhook; those of another family are kept. */
export type WebhookHandler = {
  family: KnownFamily;
  asksClassroom: boolean;
  /** Null: they are handled one by one. */
  handleTogether:
    | ((
        received: readonly Received<Webhook["family"]>[],
        batch: WebhookBatch,
      ) => Promise<readonly HandledWebhook[]>)
    | null;
  handle: (received: Received<Webhook["family"]>, batch: WebhookBatch) => Promise<HandledWebhook>;
  /** Null: each has its own subject. */
  subjectOf: (webhook: Webhook) => readonly string[] | null;
};

/** Handlers by family. Webhooks of a family without a handler are kept. */
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

/** @throws if two modules handle the same family. */
export function webhookHandlers(handlers: readonly WebhookHandler[]): WebhookHandlers {
  const table = new Map<Webhook["family"], WebhookHandler>();
  for (const handler of handlers) {
    if (table.has(handler.family)) throw new Error(`two modules handle webhooks of ${handler.family}`);
    table.set(handler.family, handler);
  }
  return table;
}
