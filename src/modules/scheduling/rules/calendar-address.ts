import { describeRecord, index, type ItemOf, number, text, textOf, unique } from "../../../domain/record.ts";
import { anyOf } from "../../../domain/held-record.ts";

/** A secret address where calendar programs read sessions of a course, or of a person in all courses. */
export const calendarAddressRecord = describeRecord("CalendarAddress", {
  id: null,
  fields: {
    registrationId: text,
    scope: textOf<"course" | "person">(),
    ownerId: text,
    /** SHA-256 of the token, by which a calendar program's request is found. */
    digest: text,
    /** The token under SECRET_KEY, so that its owner can be shown it again; missing in earlier records. */
    sealed: text.orNull.optional,
    createdAt: number,
    /** Its maker's, such as "de"; missing in earlier records. */
    locale: text.orNull.optional,
  },
  indexes: [index("registrationId", "scope", "ownerId"), unique("digest")],
  held: {
    key: "calendars",
    holds: "secret calendar addresses of courses and people: digests, and sealed for their owners",
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
