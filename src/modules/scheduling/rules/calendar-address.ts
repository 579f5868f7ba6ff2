import { describeRecord, index, unique, type ItemOf } from "../../../domain/record.ts";
import { text, textOf, number } from "../../../domain/record-fields.ts";
import { anyOf } from "../../../domain/held-record.ts";

/** A secret address under which a calendar program reads sessions: of a course, or of a person in all their courses. */
export const calendarAddressRecord = describeRecord("CalendarAddress", {
  id: null,
  fields: {
    registrationId: text,
    scope: textOf<"course" | "person">(),
    /** Our id of the course or the person. */
    ownerId: text,
    /** SHA-256 of the token in the address; the token itself is not kept. */
    digest: text,
    createdAt: number,
    /** How its maker reads dates and words, such as "de"; calendars are written so. Earlier records lack it. */
    locale: text.orNull.optional,
  },
  indexes: [index("registrationId", "scope", "ownerId"), unique("digest")],
  held: {
    key: "calendars",
    holds: "digests of secret calendar addresses of courses and people",
    kept: "with the course or the person",
    person: [
      {
        over: "once",
        find: ({ registrationId, personIds }) => ({
          registrationId,
          scope: "person",
          ownerId: anyOf(personIds),
        }),
      },
    ],
    ofCourses: (registrationId, courseIds) => ({
      registrationId,
      scope: "course",
      ownerId: anyOf(courseIds),
    }),
    names: [{ path: "ownerId", among: "registration" }],
  },
});
export type CalendarAddress = ItemOf<typeof calendarAddressRecord>;
