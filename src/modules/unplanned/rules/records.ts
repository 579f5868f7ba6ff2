import type { AccountId } from "../../../domain/account.ts";
import { anyOf, erasedId } from "../../../domain/held-record.ts";
import { describeRecord, index, type ItemOf, json, number, text, textOf } from "../../../domain/record.ts";
import type { UnplannedRule } from "../../../domain/unplanned-rule.ts";
import type { FoundClass } from "./found-class.ts";

/** waiting: an instructor is asked · class: it is a session of the course · planned: it was one, until a planned session took its place · none: it was no class, or is none any more. */
export type UnplannedState = "waiting" | "class" | "planned" | "none";

/** People met in a course's Space and no session was planned: times in ms, and what became of it. */
export const unplannedClassRecord = describeRecord("UnplannedClass", {
  fields: {
    registrationId: text,
    courseId: text,
    environment: textOf<AccountId>(),
    spaceId: text,
    startsAt: number,
    endsAt: number,
    /** How many learners were there. */
    learners: number,
    led: json<FoundClass["led"]>().orNull,
    state: textOf<UnplannedState>(),
    /** What has been carried out: sessions and attendance are as this says. Null for nothing yet. */
    settled: textOf<UnplannedState>().orNull,
    /** By which attendance is suggested; of the moment of the answer. */
    rule: json<UnplannedRule>().orNull,
    /** Who answered; null for the course's or the institution's rule. */
    by: text.orNull,
    answeredAt: number.orNull,
    /** The planned session that took its place; of a class, the one that was postponed to it. */
    eventId: text.orNull,
  },
  indexes: [index("courseId", "-startsAt"), index("environment", "spaceId", "startsAt"), index("endsAt")],
  held: {
    key: "unplannedClasses",
    holds:
      "when people met in a course's Space without a planned session, how many, and who said what it was",
    kept: "90 days; the session made of it stays with the course",
    person: [
      {
        over: "own-courses",
        find: ({ personIds }, courseIds) => ({ courseId: anyOf(courseIds), by: anyOf(personIds) }),
        change: () => ({ update: { $set: { by: erasedId } } }),
      },
    ],
    purged: { days: 90, field: "endsAt" },
    names: [{ path: "by", among: "courses" }],
  },
});
export type UnplannedClass = ItemOf<typeof unplannedClassRecord>;

export const unplannedRecords = [unplannedClassRecord];

/** The id of the session made of a class. The classroom does not know it and is never asked about it. */
export function sessionIdOf({ id }: Pick<UnplannedClass, "id">): string {
  return `unplanned-${id}`;
}
