import { describeRecord, field, index, type ItemOf } from "./record.ts";
import { customParameter } from "./launch.ts";

/** A section (Canvas) or group (Moodle, course groups service) of an LMS course. */
export const sectionRecord = describeRecord("Section", {
  fields: {
    registrationId: field.text,
    courseId: field.text,
    /** The LMS's id, unique within the course only. */
    lmsSectionId: field.text,
    /** Null if the LMS reports only ids (Moodle). */
    lmsName: field.text.orNull,
    /** The set the group belongs to in the LMS; null for sections and single groups. */
    lmsSetName: field.text.orNull,
    /** An instructor's name for it, which wins over the LMS's. */
    givenName: field.text.orNull,
  },
  indexes: [index.unique("registrationId", "courseId", "lmsSectionId")],
  personalData: {
    key: "sections",
    holds: "names of sections and groups; no person",
    stored: "with the course",
  },
});
export type Section = ItemOf<typeof sectionRecord>;

/** The most sections we store of one person. */
const maxSections = 500;
const maxIdLength = 255;

/** From the custom parameters of a launch or a roster entry. Null when not reported; empty when the person is in no section. */
export function sectionIdsOf(custom: Readonly<Record<string, string>>): string[] | null {
  const given = custom[customParameter.sectionIds] ?? custom[customParameter.moodleGroups];
  if (given === undefined) return null;
  const ids = new Set(given.split(",").map((id) => id.trim()));
  return [...ids].filter((id) => id !== "" && id.length <= maxIdLength).slice(0, maxSections);
}
