import type { Response } from "express";
import type { QueuePosition, QueueView } from "../rules/queue-position.ts";
import type { WaitingQueue } from "../waiting-queue.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { QueueText } from "./queue-text.ts";
import { createRecentEvents } from "./recent-events.ts";
import { heartbeatMs, maxTabs } from "../rules/limits.ts";

export type QueueStreams = {
  /** Server-sent events, each a text as JSON; the last one ends the waiting. `course`: its name. */
  open: (
    position: QueuePosition,
    course: string,
    textOf: (view: QueueView) => QueueText,
    response: Response,
  ) => void;
};

type Open = { end: (last?: string) => void };

/** They end when the queue stops; browsers reconnect to the next process, each after another pause. */
export function createQueueStreams(deps: {
  waitingQueue: Pick<WaitingQueue, "watch">;
  clock: Clock;
}): QueueStreams {
  const streams = new Map<string, Set<Open>>();
  const events = createRecentEvents();
  let opened = 0;

  /** @returns what takes the stream out again. */
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
    open: (position, course, textOf, response) => {
      // The browser left during the lookup: no "close" event would end this stream.
      if (response.closed || response.destroyed) return;
      opened += 1;
      response.status(200).set({
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store, no-transform",
        "X-Accel-Buffering": "no",
        // So that the connection ends with the stream when the tool stops.
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
      let said = "";
      response.on("close", () => {
        stream.end();
      });
      unwatch = deps.waitingQueue.watch(position, {
        onView: (view) => {
          const event = events.eventOf(`${position.locale ?? ""} ${course}`, view, textOf);
          if (view.state !== "waiting") stream.end(event);
          else if (event !== said) writer.write(event);
          said = event;
        },
        onStop: () => {
          stream.end();
        },
      });
      void beat(deps.clock, beats.signal, writer, response);
    },
  };
}

/** A browser that took nothing since the last heartbeat is cut off. */
async function beat(clock: Clock, signal: AbortSignal, writer: Writer, response: Response): Promise<void> {
  try {
    for (;;) {
      await clock.sleep(heartbeatMs, signal);
      if (writer.stuck()) response.destroy();
      else writer.beat();
    }
  } catch {}
}

type Writer = {
  write: (event: string) => void;
  beat: () => void;
  /** Writes a last event. Repeatable. */
  end: (last?: string) => void;
  /** What was written before the last call is not taken yet. */
  stuck: () => boolean;
};

/** To a slow browser only the latest untaken event is kept. */
function latestOnly(response: Response): Writer {
  let kept: string | null = null;
  let wasFull = false;
  response.on("drain", () => {
    wasFull = false;
    if (kept !== null && !response.writableEnded) response.write(kept);
    kept = null;
  });
  return {
    write: (event) => {
      if (response.writableEnded) return;
      if (response.writableNeedDrain) kept = event;
      else response.write(event);
    },
    beat: () => {
      if (!response.writableEnded && !response.writableNeedDrain) response.write("event: beat\ndata:\n\n");
    },
    end: (last = "") => {
      if (response.writableEnded) return;
      if (response.writableNeedDrain) response.destroy();
      else response.end(last);
    },
    stuck: () => {
      const stuck = wasFull && response.writableNeedDrain;
      wasFull = response.writableNeedDrain;
      return stuck;
    },
  };
}
