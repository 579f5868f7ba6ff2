import type { EnvironmentName } from "../../../domain/registration.ts";

/** What finds records in the store, in the store's own words. */
export type RecordFilter = Record<string, unknown>;

/** Somebody as everything that is kept about them can be found. */
export type PersonSubject = {
  registrationId: string;
  deploymentId: string;
  /** The LMS's user id. */
  sub: string;
  /** Our ids of them: one, unless a roster made them again while they were being erased. */
  personIds: readonly string[];
  environment: EnvironmentName;
  /** Users of the classroom who they are: the one made for them, and those an instructor matched. */
  userIds: readonly string[];
  /** Those of `userIds` that are nobody else's: what names one of them names this person. */
  soleUserIds: readonly string[];
  /** Courses they are or were a member of. */
  courseIds: readonly string[];
};

/** A change that takes a person out of a record that stays. It must make the rule's filter not find the record again. */
export type RecordChange = {
  update: Record<string, Record<string, unknown>>;
  arrayFilters?: readonly RecordFilter[];
};

/** Records that concern one person. */
export type PersonRule = {
  /**
   * once: the filter finds all of them · every-course: of the slice of courses given, over all courses of the LMS ·
   * own-courses: the same, over the courses they were a member of.
   */
  over: "once" | "every-course" | "own-courses";
  find: (who: PersonSubject, courseIds: readonly string[]) => RecordFilter;
  /** Left out: the record is deleted. */
  change?: (who: PersonSubject) => RecordChange;
};

/** Which fields a person is given of a kind of record; others would tell of other people, or are secrets. */
export type ExportRule = {
  over: PersonRule["over"];
  find: PersonRule["find"];
  fields: readonly string[];
};

/** One kind of record: what it holds of people, for how long, and how it is found for each who may be erased. */
export type HeldRecord = {
  /** Name of the model in the store. */
  model: string;
  /** What counts and exports call it; stable, part of the export's format. */
  key: string;
  /** What it holds, in words for a list of data. */
  holds: string;
  /** How long, in words for a list of data. */
  kept: string;
  person: readonly PersonRule[];
  /** Left out: nothing of it is given to the person. */
  given?: readonly ExportRule[];
  /** Records of some courses of one LMS; null when none is a course's. */
  ofCourses: ((registrationId: string, courseIds: readonly string[]) => RecordFilter) | null;
  /** Records of an LMS; null when they are found by its courses, or are not the LMS's. */
  ofRegistration: ((registrationId: string) => RecordFilter) | null;
  /** Deleted when older than so many days (field in milliseconds); left out: by the store's own clock, or with its course. */
  purged?: { days: number; field: string };
};

/** What stands where a person's id stood. */
export const erasedId = "erased";

/** Records that carry both ids. */
export const inCourses = (registrationId: string, courseIds: readonly string[]): RecordFilter => ({
  registrationId,
  courseId: { $in: [...courseIds] },
});
export const inRegistration = (registrationId: string): RecordFilter => ({ registrationId });
