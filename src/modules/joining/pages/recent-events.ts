import type { QueueView } from "../rules/queue-position.ts";
import type { QueueText } from "./queue-text.ts";
import { maxRecentEvents } from "../rules/limits.ts";

/** People in the same state share one server-sent event, made once. */
export function createRecentEvents() {
  const events = new Map<string, string>();
  return {
    /** @param same Language and course: the same name always gives the same text. */
    eventOf: (same: string, view: QueueView, textOf: (view: QueueView) => QueueText): string => {
      const key =
        view.state === "waiting" ? `${view.peopleBefore} ${view.seconds} ${view.trouble} ${same}` : null;
      const known = key === null ? undefined : events.get(key);
      if (known !== undefined) return known;
      const event = `data: ${JSON.stringify(textOf(view))}\n\n`;
      if (events.size >= maxRecentEvents) events.clear();
      if (key !== null) events.set(key, event);
      return event;
    },
  };
}
