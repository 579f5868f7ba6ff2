import type { PersonReference } from "../../../domain/held-record.ts";
import { described } from "./personal-records.ts";

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

/** For merging two records of one human being. Members come last: they say which courses have the others. */
export const personReferences = references.toSorted(
  (one, other) => Number(one.model === "Member") - Number(other.model === "Member"),
);

/** Records about a person that are made again when needed, with the id in their own key. */
export const passingPersonRecords: readonly string[] = [
  ...described.flatMap(({ model, isPassing }) => (isPassing ? [model] : [])),
  "Provisioning",
];
