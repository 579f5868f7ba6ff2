// From: document 5 (item 3) and 6.1; repetition and times are assumed.
import { randomUUID } from "node:crypto";
import type { Clock } from "../../src/kernel/clock.ts";
import { messageOf } from "../../src/kernel/errors.ts";
import type { Logger } from "../../src/kernel/logger.ts";
import type { Turned } from "../assumptions.ts";
import { writtenWebhook } from "./turned.ts";

/** How deliveries misbehave; all off by default. */
export type WebhookSwitches = {
  /** Sent twice at the same moment. */
  duplicates: boolean;
  /** Of two webhooks, the later one leaves first. */
  reorder: boolean;
  /** Delay of every webhook (ms). */
  delayMs: number;
  /** The document says "authentication header", which can be read in both ways. */
  headerName: "Authorization" | "Authentication";
};

export type WebhookDelivery = {
  id: string;
  payload: Readonly<Record<string, unknown>>;
  url: string | null;
  state: "waiting" | "delivered" | "given-up" | "no-receiver";
  attempts: { at: number; status: number | null; error: string | null }[];
};

export type WebhookSender = ReturnType<typeof createWebhookSender>;

/** Waits between attempts (ms; assumption `webhooksAreRepeated`). */
const retryDelays = [1_000, 2_000, 4_000, 8_000, 16_000];
const answerTimeoutMs = 10_000;
/** How long reordering waits for a second webhook (ms). */
const reorderWaitMs = 300;

export function createWebhookSender(deps: {
  url: string | null;
  secret: string;
  turned: Turned;
  clock: Clock;
  logger: Logger;
}) {
  const { clock, logger, turned } = deps;
  let receiver = { url: deps.url, secret: deps.secret };
  const switches: WebhookSwitches = {
    duplicates: turned.has("webhooksComeOnce"),
    reorder: turned.has("webhooksInOrder"),
    delayMs: turned.has("webhooksAtOnce") ? 1_500 : 0,
    headerName: turned.has("secretInAuthorization") ? "Authentication" : "Authorization",
  };
  const contentType = turned.has("webhooksAreTyped") ? "text/plain" : "application/json";
  const log: WebhookDelivery[] = [];
  const underway = new Set<Promise<void>>();
  const closing = new AbortController();
  let held: { letGo: () => void } | null = null;

  function track(work: Promise<void>): void {
    const noted = work
      .catch((thrown: unknown) => {
        if (!closing.signal.aborted) logger.warn({ reason: messageOf(thrown) }, "webhook delivery broke off");
      })
      .finally(() => underway.delete(noted));
    underway.add(noted);
  }

  async function attempt(delivery: WebhookDelivery, url: string): Promise<boolean> {
    const at = clock.now();
    const written = writtenWebhook(turned, delivery.payload);
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": contentType, [switches.headerName]: `Bearer ${receiver.secret}` },
        body: JSON.stringify(turned.has("oneWebhookARequest") ? [written] : written),
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(answerTimeoutMs)]),
      });
      await answer.arrayBuffer();
      delivery.attempts.push({ at, status: answer.status, error: null });
      return turned.has("anySuccessWillDo") ? answer.status === 200 : answer.ok;
    } catch (thrown) {
      delivery.attempts.push({ at, status: null, error: messageOf(thrown) });
      return false;
    }
  }

  async function deliver(delivery: WebhookDelivery, url: string): Promise<void> {
    await orderOfLeaving();
    if (switches.delayMs > 0) await clock.sleep(switches.delayMs, closing.signal);
    for (const delay of [...(turned.has("webhooksAreRepeated") ? [] : retryDelays), null]) {
      if (await attempt(delivery, url)) {
        delivery.state = "delivered";
        return;
      }
      if (delay === null || closing.signal.aborted) break;
      await clock.sleep(delay, closing.signal);
    }
    delivery.state = "given-up";
  }

  /** With reordering, the first of two waits until the second has left. */
  async function orderOfLeaving(): Promise<void> {
    if (!switches.reorder) return;
    if (held !== null) {
      const first = held;
      held = null;
      // To have the second request on the wire first.
      track(clock.sleep(30, closing.signal).then(first.letGo));
      return;
    }
    const { promise: overtaken, resolve: letGo } = Promise.withResolvers<undefined>();
    const mine = { letGo: () => letGo(undefined) };
    held = mine;
    await Promise.race([overtaken, clock.sleep(reorderWaitMs, closing.signal)]);
    if (held === mine) held = null;
  }

  function send(payload: Readonly<Record<string, unknown>>): WebhookDelivery {
    const { url } = receiver;
    const delivery: WebhookDelivery = { id: randomUUID(), payload, url, state: "waiting", attempts: [] };
    log.push(delivery);
    if (url === null) {
      delivery.state = "no-receiver";
      return delivery;
    }
    track(deliver(delivery, url));
    if (switches.duplicates) {
      const twin: WebhookDelivery = { ...delivery, id: randomUUID(), attempts: [] };
      log.push(twin);
      track(deliver(twin, url));
    }
    return delivery;
  }

  return {
    send,
    sent: (): readonly WebhookDelivery[] => log,
    configure: ({ url, secret }: { url: string | null; secret?: string | undefined }): void => {
      receiver = { url, secret: secret ?? receiver.secret };
    },
    receiverUrl: (): string | null => receiver.url,
    switches: (): Readonly<WebhookSwitches> => switches,
    setSwitches: (changes: Partial<WebhookSwitches>): void => {
      Object.assign(switches, changes);
    },
    /** Resolves when nothing is in progress, including retries. */
    settled: async (): Promise<void> => {
      while (underway.size > 0) await Promise.all(underway);
    },
    close: async (): Promise<void> => {
      closing.abort(new Error("the stand-in is closing"));
      await Promise.all(underway);
    },
  };
}
