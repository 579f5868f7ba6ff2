import type { AccountId } from "./account.ts";

/** A filter in the store's query language. */
export type RecordFilter = Record<string, unknown>;

/** A person, with everything needed to find their records. */
export type PersonSubject = {
  registrationId: string;
  deploymentId: string;
  sub: string;
  /** Our ids for them: usually one, but a roster may create them again during their erasure. */
  personIds: readonly string[];
  environment: AccountId;
  /** Their classroom users: made for them, or matched to them by an instructor. */
  userIds: readonly string[];
  /** The `userIds` that nobody else has, so a record that names one names this person. */
  soleUserIds: readonly string[];
  /** Courses they are or were a member of. */
  courseIds: readonly string[];
};

/** Takes a person out of a record that stays. Afterwards, the rule's filter must not find the record again. */
export type RecordChange = {
  update: Record<string, Record<string, unknown>>;
  arrayFilters?: readonly RecordFilter[];
};

export type PersonRule = {
  /** once: one filter finds everything · every-course, own-courses: one filter for each batch of the LMS's or the person's courses. */
  over: "once" | "every-course" | "own-courses";
  find: (who: PersonSubject, courseIds: readonly string[]) => RecordFilter;
  /** Left out: an erasure deletes the record. */
  change?: (who: PersonSubject) => RecordChange;
};

/** Fields that an export gives to the person. Other fields name other people or are secrets. */
type ExportRule = { over: PersonRule["over"]; find: PersonRule["find"]; fields: readonly string[] };

/** What one kind of record stores about people, for how long, and how export and erasure find it. */
export type PersonalData = {
  model: string;
  /** The name in counts and exports. It is part of the export's format, so it never changes. */
  key: string;
  /** What is stored, in words, for a list of data. */
  holds: string;
  /** How long it is stored, in words, for a list of data. */
  stored: string;
  person: readonly PersonRule[];
  /** Left out: an export gives nothing of it to the person. */
  given?: readonly ExportRule[];
  /** Finds the records of some courses of one LMS; null if records don't belong to courses. */
  ofCourses: ((registrationId: string, courseIds: readonly string[]) => RecordFilter) | null;
  /** Finds the records of an LMS; null if they are found by its courses, or don't belong to the LMS. */
  ofRegistration: ((registrationId: string) => RecordFilter) | null;
  /** The tool deletes records older than this many days (field in ms). Left out: the store's expiry does, or they go with their course. */
  purged?: { days: number; field: string };
  /** Fields that name a person, for merging two records of one human being. */
  names?: readonly PersonReference[];
  /** The record is created again when needed, and its key contains the person's id, so a merge deletes it. */
  isPassing?: true;
};

export type PersonReference = {
  path: string;
  /** Left out: the path holds one value. "each": a list of ids · "of-each": the last part of the path is in each entry of a list. */
  list?: "each" | "of-each";
  /** Where to look: in the person's courses, or everywhere in the LMS or account. */
  among: "courses" | "registration" | "environment";
  /** How two records of one person in one course become one. Left out: a person may have several. */
  both?: "newer-launch" | "history" | "sent" | "keep";
};

/** Replaces an erased person's id. */
export const erasedId = "erased";

export const inCourses = (registrationId: string, courseIds: readonly string[]): RecordFilter => ({
  registrationId,
  courseId: { $in: [...courseIds] },
});
const inRegistration = (registrationId: string): RecordFilter => ({ registrationId });

/** What a record's description must state itself. The rest follows from its fields. */
export type PersonalDataInWords = Omit<PersonalData, "model" | "person" | "ofCourses" | "ofRegistration"> &
  Partial<Pick<PersonalData, "person" | "ofCourses" | "ofRegistration">>;

/** Records with a course's id are erased with the course, those with an LMS's id with the LMS, unless `stated` says otherwise. */
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
/** Which ids of a person a field holds, and a filter for records of courses that fits the record's index. */
type OwnCourses = { ids?: "personIds" | "userIds"; courses?: typeof inCourses };

/** Finds records in the person's courses whose field names them. @param change Left out: an erasure deletes the record. */
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
/** Finds records of an account by users that only this person has. */
export const inEnvironment = ({ environment, soleUserIds }: PersonSubject, field: string): RecordFilter => ({
  environment,
  [field]: anyOf(soleUserIds),
});
/** Exports some fields of the records that a rule finds. @param fields Their names, separated by spaces. */
export const given = ({ over, find }: PersonRule, fields: string): ExportRule[] => [
  { over, find, fields: words(fields) },
];
export const words = (text: string): string[] => text.split(" ");
