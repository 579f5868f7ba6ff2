import type { QueueView } from "../rules/queue-position.ts";
import type { QueueText } from "./queue-text.ts";

/** More are not remembered: about as many as a class of thousands says while it gets in. */
const most = 10_000;

/**
 * Server-sent events of what people are told. What one person is told another was told a moment ago, in the same
 * words, so each is put in words once.
 */
export function createRecentEvents() {
  const events = new Map<string, string>();
  return {
    /** @param same Names language and course: the same name always gets the same words. */
    eventOf: (same: string, view: QueueView, wordsOf: (view: QueueView) => QueueText): string => {
      const key = view.state === "waiting" ? `${view.ahead} ${view.seconds} ${view.trouble} ${same}` : null;
      const known = key === null ? undefined : events.get(key);
      if (known !== undefined) return known;
      const event = `data: ${JSON.stringify(wordsOf(view))}\n\n`;
      if (events.size >= most) events.clear();
      if (key !== null) events.set(key, event);
      return event;
    },
  };
}
