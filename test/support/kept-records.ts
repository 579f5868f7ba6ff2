import { personalRecords } from "../../src/modules/privacy/rules/erasure.ts";

/** How the description ends of a kind of record that contains no data about people. */
const aboutNobody = "; no person";
const parts = Map.groupBy(personalRecords, ({ holds }) =>
  holds.endsWith(aboutNobody) ? "## Without data about people" : "## About people",
);

/** The tables of docs/security/kept-records.md. */
export const keptRecords = [...parts].map(([heading, kinds]) => ({
  heading,
  rows: kinds.map(({ model, holds, stored }) => [model, holds.replace(aboutNobody, ""), stored]),
}));
