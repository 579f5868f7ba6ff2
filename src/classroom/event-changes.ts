import { cutTo } from "../kernel/text.ts";
import { unreadable } from "./classroom-errors.ts";
import type { ClassroomCall } from "./classroom-call.ts";
import type { CallOptions, createReader } from "./create-reader.ts";
import type { Dialect } from "./dialect.ts";
import { isWebPage, momentAt, textAt } from "./read-reply.ts";

type Reader = ReturnType<typeof createReader>;

/** Times in ms. */
type EventChange = { eventId: string; title: string; spaceId: string; startsAt: number; endsAt: number };

/** An event in the form in which the service takes it. */
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

/** Operations for which the document shows no address. Each is null until the dialect names one. */
export function eventChanges(deps: {
  dialect: Dialect;
  call: ClassroomCall;
  readList: Reader["readList"];
  failed: Reader["failed"];
}) {
  const { dialect, call, readList, failed } = deps;
  /** Some servers answer every address with a web page. Then nothing was changed. */
  const refusePage = (operation: "updateEvent" | "cancelEvent", doing: string, reply: unknown) => {
    if (isWebPage(reply)) throw unreadable(failed(operation, doing), "JSON", reply, false);
  };
  const { updateEvent, cancelEvent, findEvents } = dialect.operations;
  return {
    /** @returns false if the event doesn't exist, or no longer does. */
    updateEvent:
      updateEvent.routes.length === 0
        ? null
        : async (event: EventChange, options: CallOptions) => {
            // Treated as a reading: it may be repeated, and returns null for a missing event.
            const doing = "changing a session";
            const request = { ...options, doing, kind: "reading" } as const;
            const answer = await call("updateEvent", writtenEvent(event, dialect), request);
            if (answer !== null) refusePage("updateEvent", doing, answer.reply);
            return answer !== null;
          },
    /** Also succeeds if the event doesn't exist, or no longer does. */
    cancelEvent:
      cancelEvent.routes.length === 0
        ? null
        : async (eventId: string, options: CallOptions) => {
            const doing = "cancelling a session";
            const answer = await call("cancelEvent", { eventId }, { ...options, doing, kind: "reading" });
            if (answer !== null) refusePage("cancelEvent", doing, answer.reply);
          },
    /** Events of a Space between two moments (ms). */
    findEvents:
      findEvents.routes.length === 0
        ? null
        : async (which: { spaceId: string; from: number; to: number }, options: CallOptions) => {
            const [from, to] = [new Date(which.from).toISOString(), new Date(which.to).toISOString()];
            const values = { spaceId: which.spaceId, from, to };
            const entry = (item: unknown, places: (field: string) => string[]) => {
              const eventId = textAt(item, places("eventId"));
              if (eventId === null) return null;
              // Null means "not reported"; times in ms.
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
