import type { AccountId } from "../../../domain/account.ts";
import {
  describeRecord,
  index,
  type ItemOf,
  number,
  onlyWhere,
  text,
  textOf,
  unique,
} from "../../../domain/record.ts";
import { signedBy, withCourse } from "../../../domain/held-record.ts";

/** An instructor's link of a section of an LMS course with a cohort, one at a time for a section; ended links stay. */
export const sectionLinkRecord = describeRecord("SectionLink", {
  fields: {
    registrationId: text,
    courseId: text,
    /** The LMS's id of the section (Canvas) or group (Moodle). */
    lmsSectionId: text,
    environment: textOf<AccountId>(),
    programId: text,
    cohortId: text,
    sectionName: text.orNull,
    cohortName: text.orNull,
    state: textOf<"linked" | "unlinked">(),
    /** Person id, and when (ms). */
    by: text,
    at: number,
    /** Person id, and when (ms); null while it holds. */
    endedBy: text.orNull,
    endedAt: number.orNull,
  },
  indexes: [
    onlyWhere({ state: "linked" }, unique("registrationId", "courseId", "lmsSectionId"), "one_cohort"),
    index("registrationId", "courseId", "-at"),
    index("environment", "cohortId"),
  ],
  held: {
    key: "sectionLinks",
    holds: "which section is which cohort, and who said so",
    kept: withCourse,
    person: [signedBy("by"), signedBy("endedBy")],
    names: [
      { path: "by", among: "courses" },
      { path: "endedBy", among: "courses" },
    ],
  },
});
export type SectionLink = ItemOf<typeof sectionLinkRecord>;
