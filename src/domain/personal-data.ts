import type { AccountId } from "./account.ts";

/** A filter in the store's own words. */
export type RecordFilter = Record<string, unknown>;

/** A person with all that finds their records. */
export type PersonSubject = {
  registrationId: string;
  deploymentId: string;
  sub: string;
  /** Our ids of them: one, unless a roster made them again during their erasure. */
  personIds: readonly string[];
  environment: AccountId;
  /** Their classroom users: made for them, or matched by an instructor. */
  userIds: readonly string[];
  /** Those of `userIds` that no one else has: a record naming one names this person. */
  soleUserIds: readonly string[];
  /** Courses they are or were a member of. */
  courseIds: readonly string[];
};

/** Takes a person out of a record that is kept; afterwards the rule's filter must not find the record again. */
export type RecordChange = {
  update: Record<string, Record<string, unknown>>;
  arrayFilters?: readonly RecordFilter[];
};

export type PersonRule = {
  /** once: one filter finds all · every-course, own-courses: one filter a slice of the LMS's or the person's courses. */
  over: "once" | "every-course" | "own-courses";
  find: (who: PersonSubject, courseIds: readonly string[]) => RecordFilter;
  /** Left out: the record is deleted. */
  change?: (who: PersonSubject) => RecordChange;
};

/** Fields given to the person in an export; the others name other people or are secrets. */
type ExportRule = { over: PersonRule["over"]; find: PersonRule["find"]; fields: readonly string[] };

/** What one kind of record stores about people, for how long, and how export and erasure find it. */
export type PersonalData = {
  model: string;
  /** Name in counts and exports; stable, part of the export's format. */
  key: string;
  /** In words, for a list of data. */
  holds: string;
  /** In words, for a list of data. */
  stored: string;
  person: readonly PersonRule[];
  /** Left out: nothing is given to the person. */
  given?: readonly ExportRule[];
  /** Records of some courses of one LMS; null when none is a course's. */
  ofCourses: ((registrationId: string, courseIds: readonly string[]) => RecordFilter) | null;
  /** Records of an LMS; null when found by its courses, or not the LMS's. */
  ofRegistration: ((registrationId: string) => RecordFilter) | null;
  /** Deleted when older than this many days (field in ms); left out: by the store's expiry, or with its course. */
  purged?: { days: number; field: string };
  /** Fields that name a person, for merging two records of one human being. */
  names?: readonly PersonReference[];
  /** Made again when needed, with the person's id in its own key: deleted in a merge. */
  isPassing?: true;
};

export type PersonReference = {
  path: string;
  /** Left out: the path is one value. "each": a list of ids · "of-each": the last part of the path is in each entry of a list. */
  list?: "each" | "of-each";
  /** Where to look: in the person's courses, or everywhere in the LMS or environment. */
  among: "courses" | "registration" | "environment";
  /** How two records of one person in one course become one. Left out: there may be several. */
  both?: "newer-launch" | "history" | "sent" | "keep";
};

/** Replaces an erased person's id. */
export const erasedId = "erased";

export const inCourses = (registrationId: string, courseIds: readonly string[]): RecordFilter => ({
  registrationId,
  courseId: { $in: [...courseIds] },
});
const inRegistration = (registrationId: string): RecordFilter => ({ registrationId });

/** What a description says itself; the rest follows from the fields. */
export type PersonalDataInWords = Omit<PersonalData, "model" | "person" | "ofCourses" | "ofRegistration"> &
  Partial<Pick<PersonalData, "person" | "ofCourses" | "ofRegistration">>;

/** Records with a course's id go with the course, those with an LMS's id with the LMS, unless `stated` differs. */
export function personalDataOf(
  model: string,
  fields: readonly string[],
  stated: PersonalDataInWords,
): PersonalData {
  const has = (name: string) => fields.includes(name);
  const ofCourses = has("registrationId") ? inCourses : ofCoursesAlone;
  return {
    model,
    person: [],
    ofCourses: has("courseId") ? ofCourses : null,
    ofRegistration: has("registrationId") ? inRegistration : null,
    ...stated,
  };
}

export const ofCoursesAlone = (_registrationId: string, courseIds: readonly string[]): RecordFilter => ({
  courseId: { $in: [...courseIds] },
});

export const withCourse = "with the course or the person";
export const anyOf = (ids: readonly string[]) => ({ $in: [...ids] });

export const once: PersonRule = {
  over: "once",
  find: ({ registrationId, personIds }) => ({ registrationId, personId: anyOf(personIds) }),
};
export const everyCourse: PersonRule = {
  over: "every-course",
  find: ({ registrationId, personIds }, courseIds) => ({
    ...inCourses(registrationId, courseIds),
    personId: anyOf(personIds),
  }),
};
/** Which ids of a person a field holds, and how records of courses are found: by what the record's index has. */
type OwnCourses = { ids?: "personIds" | "userIds"; courses?: typeof inCourses };

/** In the person's courses, records whose field names them. @param change Left out: the record is deleted. */
export const inOwnCourses = (
  field: string,
  { ids = "personIds", courses = inCourses }: OwnCourses,
  change?: (ids: readonly string[]) => RecordChange,
): PersonRule => ({
  over: "own-courses",
  find: (who, courseIds) => ({ ...courses(who.registrationId, courseIds), [field]: anyOf(who[ids]) }),
  ...(change === undefined ? {} : { change: (who: PersonSubject) => change(who[ids]) }),
});
/** Replaces the person's id in one field. */
export const signedBy = (field: string, which: OwnCourses = {}): PersonRule =>
  inOwnCourses(field, which, () => ({ update: { $set: { [field]: erasedId } } }));
/** Replaces the person's id in each entry of a list. */
export const signedInList = (list: string, field: string, which: OwnCourses = {}): PersonRule =>
  inOwnCourses(`${list}.${field}`, which, (ids) => ({
    update: { $set: { [`${list}.$[one].${field}`]: erasedId } },
    arrayFilters: [{ [`one.${field}`]: anyOf(ids) }],
  }));
/** Finds records of an environment by users that are this person's alone. */
export const inEnvironment = ({ environment, soleUserIds }: PersonSubject, field: string): RecordFilter => ({
  environment,
  [field]: anyOf(soleUserIds),
});
/** Exports some fields of what a rule finds. @param fields Their names, with spaces between. */
export const given = ({ over, find }: PersonRule, fields: string): ExportRule[] => [
  { over, find, fields: words(fields) },
];
export const words = (text: string): string[] => text.split(" ");
