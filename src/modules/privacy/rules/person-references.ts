/** A field of a kind of record that names people by our id. */
export type PersonReference = {
  /** Name of the model in the store. */
  model: string;
  path: string;
  /** Left out: the path is one value. "each": a list of ids · "of-each": the last part of the path is in each entry of a list. */
  list?: "each" | "of-each";
  /**
   * How its records are found: in the courses somebody is a member of, among those of the LMS, or of the environment.
   */
  among: "courses" | "registration" | "environment";
  /** Of two records of one person in one course only one can stay; how they become one. Left out: there may be several. */
  both?: "newer-launch" | "history" | "sent" | "keep";
};

/**
 * Every field that names a person, so that two records of one human being can become one. A test looks through a whole
 * tool's records for fields that are missing here. Members come last: they tell which courses the others are in.
 */
export const personReferences: readonly PersonReference[] = [
  { model: "Attendance", path: "personId", among: "courses", both: "history" },
  { model: "Attendance", path: "corrections.by", list: "of-each", among: "courses" },
  { model: "Standing", path: "personId", among: "courses", both: "keep" },
  { model: "Delivery", path: "personId", among: "courses", both: "sent" },
  { model: "AttendanceMark", path: "rows.personId", list: "of-each", among: "courses" },
  { model: "AttendanceMark", path: "by.personId", among: "courses" },
  { model: "CourseAuditEntry", path: "personId", among: "courses" },
  { model: "CourseAuditEntry", path: "on.personId", among: "courses" },
  { model: "CourseAuditEntry", path: "by.personId", among: "registration" },
  { model: "BrowserSession", path: "personId", among: "registration" },
  { model: "Feedback", path: "personId", among: "registration" },
  { model: "UserMatch", path: "personId", among: "registration" },
  { model: "UserMatch", path: "by", among: "courses" },
  { model: "Place", path: "personId", among: "courses" },
  { model: "OwedGrading", path: "personIds", list: "each", among: "courses" },
  { model: "CalendarAddress", path: "ownerId", among: "registration" },
  { model: "SectionLink", path: "by", among: "courses" },
  { model: "SectionLink", path: "endedBy", among: "courses" },
  { model: "StrayEvent", path: "by", among: "courses" },
  { model: "SpaceRequest", path: "personId", among: "courses" },
  { model: "SessionPlan", path: "hostPersonId", among: "courses" },
  { model: "ClassroomAlert", path: "seen.personId", among: "environment" },
  { model: "AuditEntry", path: "personId", among: "registration" },
  { model: "AuditEntry", path: "on", among: "registration" },
  { model: "Member", path: "personId", among: "registration", both: "newer-launch" },
];

/** Records about somebody that are made again when they are needed, and have the id in their own key. */
export const passingPersonRecords: readonly string[] = ["ReadyLogin", "Provisioning"];
