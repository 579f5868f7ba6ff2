import { cutTo } from "../kernel/text.ts";
import { unreadable } from "./classroom-errors.ts";
import type { ClassroomCall } from "./classroom-call.ts";
import type { CallOptions, createReader } from "./create-reader.ts";
import type { Dialect } from "./dialect.ts";
import { isWebPage, momentAt, textAt } from "./read-reply.ts";

type Reader = ReturnType<typeof createReader>;

/** Times in ms. */
type EventChange = { eventId: string; title: string; spaceId: string; startsAt: number; endsAt: number };

/** As the service takes an event. */
export function writtenEvent<Event extends Pick<EventChange, "title" | "startsAt" | "endsAt">>(
  event: Event,
  { lengths }: Pick<Dialect, "lengths">,
) {
  const { title, startsAt, endsAt } = event;
  return {
    ...event,
    title: cutTo(title, lengths.title),
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(endsAt).toISOString(),
    durationMinutes: Math.round((endsAt - startsAt) / 60_000),
  };
}

/** Operations the document shows no address for: null until the dialect names one. */
export function eventChanges(deps: {
  dialect: Dialect;
  call: ClassroomCall;
  readList: Reader["readList"];
  failed: Reader["failed"];
}) {
  const { dialect, call, readList, failed } = deps;
  /** Some servers answer every address with a page: then nothing was changed. */
  const refusePage = (operation: "updateEvent" | "cancelEvent", doing: string, reply: unknown) => {
    if (isWebPage(reply)) throw unreadable(failed(operation, doing), "JSON", reply, false);
  };
  const { updateEvent, cancelEvent, findEvents } = dialect.operations;
  return {
    /** False when the event does not exist, or no longer. */
    updateEvent:
      updateEvent.routes.length === 0
        ? null
        : async (event: EventChange, options: CallOptions) => {
            // Repeatable, and null for a missing event: as a reading.
            const doing = "changing a session";
            const request = { ...options, doing, kind: "reading" } as const;
            const answer = await call("updateEvent", writtenEvent(event, dialect), request);
            if (answer !== null) refusePage("updateEvent", doing, answer.reply);
            return answer !== null;
          },
    /** Succeeds also when the event does not exist, or no longer. */
    cancelEvent:
      cancelEvent.routes.length === 0
        ? null
        : async (eventId: string, options: CallOptions) => {
            const doing = "cancelling a session";
            const answer = await call("cancelEvent", { eventId }, { ...options, doing, kind: "reading" });
            if (answer !== null) refusePage("cancelEvent", doing, answer.reply);
          },
    /** Events of a Space within a span of time (ms). */
    findEvents:
      findEvents.routes.length === 0
        ? null
        : async (which: { spaceId: string; from: number; to: number }, options: CallOptions) => {
            const [from, to] = [new Date(which.from).toISOString(), new Date(which.to).toISOString()];
            const values = { spaceId: which.spaceId, from, to };
            const entry = (item: unknown, places: (field: string) => string[]) => {
              const eventId = textAt(item, places("eventId"));
              if (eventId === null) return null;
              // Null is "not reported"; times in ms.
              return {
                eventId,
                spaceId: textAt(item, places("spaceId")),
                title: textAt(item, places("title")),
                startsAt: momentAt(item, places("startsAt")),
                endsAt: momentAt(item, places("endsAt")),
              };
            };
            const doing = "looking for a session";
            return (await readList("findEvents", doing, values, options, entry, "eventId")).entries;
          },
  };
}
