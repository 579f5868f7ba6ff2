import type { EnvironmentName } from "./registration.ts";

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
  /** Fields that name a person, for when two records of one human being become one. */
  names?: readonly PersonReference[];
  /** About somebody, made again when it is needed, with their id in its own key: deleted when two people become one. */
  isPassing?: true;
};

/** A field that names people by our id. */
export type PersonReference = {
  path: string;
  /** Left out: the path is one value. "each": a list of ids · "of-each": the last part of the path is in each entry of a list. */
  list?: "each" | "of-each";
  /** How its records are found: in the courses somebody is a member of, among those of the LMS, or of the environment. */
  among: "courses" | "registration" | "environment";
  /** Of two records of one person in one course only one can stay; how they become one. Left out: there may be several. */
  both?: "newer-launch" | "history" | "sent" | "keep";
};

/** What stands where a person's id stood. */
export const erasedId = "erased";

/** Records that carry both ids. */
export const inCourses = (registrationId: string, courseIds: readonly string[]): RecordFilter => ({
  registrationId,
  courseId: { $in: [...courseIds] },
});
export const inRegistration = (registrationId: string): RecordFilter => ({ registrationId });

/** What a record's description says of itself; the rest follows from its fields. */
export type HeldInWords = Omit<HeldRecord, "model" | "person" | "ofCourses" | "ofRegistration"> &
  Partial<Pick<HeldRecord, "person" | "ofCourses" | "ofRegistration">>;

/** Records with the id of a course go with the course, those with the id of an LMS with the LMS, unless `said` knows better. */
export function heldRecord(model: string, fields: readonly string[], said: HeldInWords): HeldRecord {
  const has = (name: string) => fields.includes(name);
  return {
    ...{ model, person: [] },
    ofCourses: has("courseId") ? (has("registrationId") ? inCourses : ofCoursesAlone) : null,
    ofRegistration: has("registrationId") ? inRegistration : null,
    ...said,
  };
}

/** Records that carry a course's id only. */
export const ofCoursesAlone = (_registrationId: string, courseIds: readonly string[]): RecordFilter => ({
  courseId: { $in: [...courseIds] },
});

export const withCourse = "with the course; sooner when the person is erased";
export const anyOf = (ids: readonly string[]) => ({ $in: [...ids] });

/** What is about a person, found by the LMS. */
export const once: PersonRule = {
  over: "once",
  find: ({ registrationId, personIds }) => ({ registrationId, personId: anyOf(personIds) }),
};
/** What is about a person, found in all courses of the LMS. */
export const everyCourse: PersonRule = {
  over: "every-course",
  find: ({ registrationId, personIds }, courseIds) => ({
    ...inCourses(registrationId, courseIds),
    personId: anyOf(personIds),
  }),
};
/** Replaces the person's id in one field, in the courses they were a member of. */
export const signedBy = (field: string): PersonRule => ({
  over: "own-courses",
  find: ({ registrationId, personIds }, courseIds) => ({
    ...inCourses(registrationId, courseIds),
    [field]: anyOf(personIds),
  }),
  change: () => ({ update: { $set: { [field]: erasedId } } }),
});
/** What a user of the classroom finds who is nobody but the person, in one field of an environment's records. */
export const inEnvironment = ({ environment, soleUserIds }: PersonSubject, field: string): RecordFilter => ({
  environment,
  [field]: anyOf(soleUserIds),
});
/** Gives a person some fields, named in one text, of what a rule finds. */
export const given = ({ over, find }: PersonRule, fields: string): ExportRule[] => [
  { over, find, fields: words(fields) },
];
export const words = (text: string): string[] => text.split(" ");
