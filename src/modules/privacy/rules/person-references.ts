import type { PersonReference } from "../../../domain/held-record.ts";
import { described } from "./personal-records.ts";

/** The same with the name of its model. */
export type KindReference = PersonReference & { model: string };

const references: readonly KindReference[] = [
  ...described.flatMap(({ model, names = [] }) => names.map((reference) => ({ model, ...reference }))),
  { model: "AttendanceMark", path: "rows.personId", list: "of-each", among: "courses" },
  { model: "AttendanceMark", path: "by.personId", among: "courses" },
  { model: "UserMatch", path: "personId", among: "registration" },
  { model: "UserMatch", path: "by", among: "courses" },
  { model: "OwedGrading", path: "personIds", list: "each", among: "courses" },
  { model: "StrayEvent", path: "by", among: "courses" },
  { model: "SessionPlan", path: "hostPersonId", among: "courses" },
];

/**
 * Every field that names a person, so that two records of one human being can become one. A test looks through a whole
 * tool's records for fields that are missing here. Members come last: they tell which courses the others are in.
 */
export const personReferences = references.toSorted(
  (one, other) => Number(one.model === "Member") - Number(other.model === "Member"),
);

/** Records about somebody that are made again when they are needed, and have the id in their own key. */
export const passingPersonRecords: readonly string[] = [
  ...described.flatMap(({ model, isPassing }) => (isPassing ? [model] : [])),
  "Provisioning",
];
