import type { Response } from "express";
import type { Clock } from "../../../kernel/clock.ts";
import { rememberIn } from "../../../kernel/lists.ts";
import { heartbeatMs, maxRecentEvents, maxTabs } from "../rules/limits.ts";
import type { QueuePosition, QueueView } from "../rules/queue-position.ts";
import type { WaitingQueue } from "../waiting-queue.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

type Open = { end: (last?: string) => void };

/** Creates the queue's event streams. They end when the queue stops. Browsers then reconnect to the next process, each after a different pause. */
export function createQueueStreams(app: { waitingQueue: Pick<WaitingQueue, "watch">; clock: Clock }) {
  const streams = new Map<string, Set<Open>>();
  const events = createRecentEvents();
  let opened = 0;

  /** @returns a function that removes the stream again. */
  function keep(ticket: string, stream: Open): () => void {
    const tabs = streams.get(ticket) ?? new Set<Open>();
    streams.set(ticket, tabs);
    const [oldest] = tabs;
    if (tabs.size >= maxTabs) oldest?.end("event: elsewhere\ndata:\n\n");
    tabs.add(stream);
    return () => {
      tabs.delete(stream);
      if (tabs.size === 0 && streams.get(ticket) === tabs) streams.delete(ticket);
    };
  }

  return {
    /** Sends server-sent events, each with a text as JSON. The last one ends the waiting. `course`: the course's name. */
    open: (
      position: QueuePosition,
      course: string,
      textOf: (view: QueueView) => QueueText,
      response: Response,
    ): void => {
      // If the browser left during the lookup, no "close" event will end this stream.
      if (response.closed || response.destroyed) return;
      opened += 1;
      response.status(200).set({
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store, no-transform",
        "X-Accel-Buffering": "no",
        // Makes the connection end with the stream when the tool stops.
        Connection: "close",
      });
      response.write(`retry: ${1_000 + (opened % 20) * 100}\n\n`);
      const writer = latestOnly(response);
      const beats = new AbortController();
      const stream: Open = {
        end: (last) => {
          forget();
          beats.abort();
          unwatch();
          writer.end(last);
        },
      };
      const forget = keep(position.ticket, stream);
      let unwatch: () => void = () => undefined;
      let lastEvent = "";
      response.on("close", () => {
        stream.end();
      });
      unwatch = app.waitingQueue.watch(position, {
        onView: (view) => {
          const event = events.eventOf(`${position.locale ?? ""} ${course}`, view, textOf);
          if (view.state !== "waiting") stream.end(event);
          else if (event !== lastEvent) writer.write(event);
          lastEvent = event;
        },
        onStop: () => {
          stream.end();
        },
      });
      void beat(app.clock, beats.signal, writer, response);
    },
  };
}

/** Cuts off a browser that has taken nothing since the last heartbeat. */
async function beat(clock: Clock, signal: AbortSignal, writer: Writer, response: Response): Promise<void> {
  try {
    for (;;) {
      await clock.sleep(heartbeatMs, signal);
      if (writer.stuck()) response.destroy();
      else writer.beat();
    }
  } catch {}
}

type Writer = ReturnType<typeof latestOnly>;

/** Keeps only the latest event that a slow browser hasn't taken. */
function latestOnly(response: Response) {
  let untaken: string | null = null;
  let wasFull = false;
  response.on("drain", () => {
    wasFull = false;
    if (untaken !== null && !response.writableEnded) response.write(untaken);
    untaken = null;
  });
  return {
    write: (event: string): void => {
      if (response.writableEnded) return;
      if (response.writableNeedDrain) untaken = event;
      else response.write(event);
    },
    beat: (): void => {
      if (!response.writableEnded && !response.writableNeedDrain) response.write("event: beat\ndata:\n\n");
    },
    /** Writes a last event and ends the stream. Repeatable. */
    end: (last = ""): void => {
      if (response.writableEnded) return;
      if (response.writableNeedDrain) response.destroy();
      else response.end(last);
    },
    /** Whether the browser hasn't taken what was written before the previous call. */
    stuck: (): boolean => {
      const stuck = wasFull && response.writableNeedDrain;
      wasFull = response.writableNeedDrain;
      return stuck;
    },
  };
}

/** Lets people in the same state share one server-sent event, so its text is built once. */
function createRecentEvents() {
  const events = new Map<string, string>();
  return {
    /** @param same Language and course. Equal values must always give the same text. */
    eventOf: (same: string, view: QueueView, textOf: (view: QueueView) => QueueText): string => {
      const key =
        view.state === "waiting" ? `${view.peopleBefore} ${view.seconds} ${view.trouble} ${same}` : null;
      const known = key === null ? undefined : events.get(key);
      if (known !== undefined) return known;
      const event = `data: ${JSON.stringify(textOf(view))}\n\n`;
      if (key !== null) rememberIn(events, maxRecentEvents, key, event);
      return event;
    },
  };
}

export type QueueText =
  | {
      state: "waiting" | "ready";
      /** The tab's title, which shows progress while the tab is in the background. */
      title: string;
      place: string;
      time: string;
      trouble: boolean;
      /** How many people are before this one. */
      before: number;
    }
  /** The waiting has ended without a login. The page loads its address again, which shows why. */
  | { state: "entered" | "failed" | "gone" };

export function queueText(t: Translate, course: string, view: QueueView): QueueText {
  if (view.state === "ready") {
    const words = { title: t("waiting.titles.ready", { course }), place: t("waiting.ready"), time: "" };
    return { state: "ready", ...words, trouble: false, before: 0 };
  }
  if (view.state !== "waiting") return { state: view.state };
  const { peopleBefore, seconds, trouble } = view;
  const number = numberText(t, peopleBefore);
  const position =
    peopleBefore === 0 ? t("waiting.next") : t("waiting.before", { count: peopleBefore, number });
  const time = trouble ? t("waiting.trouble") : timeLeft(t, seconds);
  return {
    state: "waiting",
    title: titleOf(t, course, view, number),
    place: position,
    time,
    trouble,
    before: peopleBefore,
  };
}

function titleOf(
  t: Translate,
  course: string,
  { peopleBefore, trouble }: { peopleBefore: number; trouble: boolean },
  number: string,
): string {
  if (trouble) return t("waiting.titles.trouble", { course });
  return peopleBefore === 0
    ? t("waiting.titles.next", { course })
    : t("waiting.titles.before", { number, course });
}

/** Gives the time roughly while it's long, so it seldom changes, and in steps of five seconds near the end. */
function timeLeft(t: Translate, seconds: number): string {
  if (seconds > 90) return t("waiting.time.minutes", { minutes: numberText(t, Math.round(seconds / 60)) });
  if (seconds > 60) return t("waiting.time.minute");
  if (seconds > 30) return t("waiting.time.underMinute");
  if (seconds > 5) return t("waiting.time.seconds", { seconds: Math.ceil(seconds / 5) * 5 });
  return t("waiting.time.moment");
}
