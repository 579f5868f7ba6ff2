import type { CohortDetails, CohortKey, CohortPerson } from "../modules/cohorts/rules/cohort.ts";
import type { CallOptions, createReader, ListOptions, ListReply } from "./create-reader.ts";
import type { Dialect } from "./dialect.ts";
import { placeholdersIn } from "./fill-template.ts";
import type { PagingSettings } from "./dialect-replies.ts";
import { nextPage, pageSigns } from "./read-pages.ts";
import { listsAt, textAt, valueAt } from "./read-reply.ts";

type CohortIds = Omit<CohortKey, "environment">;

/** A cohort; null is "not reported", which differs from empty. */
export type CohortReply = CohortDetails & CohortIds;

/** A cohort in a list, without its people: they are read where a section is linked. */
export type ListedCohortReply = CohortIds & { name: string | null };

export type CohortsReader = {
  readCohort: (cohort: CohortIds, options: CallOptions) => Promise<CohortReply | null>;
  /** The document shows no address for it: null until the dialect names one. */
  cohortList: CohortList | null;
};

export type CohortList = {
  /** Whether it is asked for one program at a time. */
  ofProgram: boolean;
  /** @param programId Left out where the list is of all programs. */
  read: (programId: string | undefined, options: ListOptions) => Promise<ListReply<ListedCohortReply>>;
};

export function cohortsReader(deps: {
  dialect: Dialect;
  reader: Pick<ReturnType<typeof createReader>, "read" | "readList" | "placesOf" | "placesInEntry">;
}): CohortsReader {
  const { read, readList, placesOf, placesInEntry } = deps.reader;
  const { routes } = deps.dialect.operations.findCohorts;
  const { pages } = deps.dialect;
  const ofProgram = routes.some(({ path, query, body }) =>
    placeholdersIn([path, query, body]).some(({ value }) => value === "programId"),
  );
  return {
    readCohort: async ({ programId, cohortId }, options) => {
      const found = await read("readCohort", "reading a cohort", { programId, cohortId }, options);
      if (found === null) return null;
      const placesIn = (field: string) => placesInEntry("readCohort", field);
      const listIn = (field: string) => listsAt(found.reply, placesOf("readCohort", field))[0] ?? null;
      const people = (list: readonly unknown[] | null) =>
        list?.map((person): CohortPerson => ({
          userId: textAt(person, ["", ...placesIn("personId")]),
          name: textAt(person, placesIn("personName")) ?? joinedName(person, placesIn),
        })) ?? null;
      const [attendees, organizers] = [listIn("attendees"), listIn("organizers")];
      const total = (field: string) => valueAt(found.reply, placesOf("readCohort", field));
      return {
        cohortId: found.text("cohortId") ?? cohortId,
        programId,
        name: found.text("name"),
        organizers: people(organizers),
        attendees: people(attendees),
        cut:
          cutOf(found.reply, attendees, total("attendeesTotal"), pages) ??
          cutOf(found.reply, organizers, total("organizersTotal"), pages),
      };
    },
    cohortList:
      routes.length === 0
        ? null
        : {
            ofProgram,
            read: (asked, options) => {
              const entry = (item: unknown, places: (field: string) => string[]) => {
                const cohortId = textAt(item, places("cohortId"));
                const programId = textAt(item, places("programId")) ?? asked ?? null;
                if (cohortId === null || programId === null) return null;
                return { cohortId, programId, name: textAt(item, places("name")) };
              };
              const values = { programId: asked };
              return readList("findCohorts", "looking for cohorts", values, options, entry, "cohortId");
            },
          },
  };
}

/** Whether a reply says that a list has more entries, by number or by its pages. */
function cutOf(reply: unknown, list: readonly unknown[] | null, counted: unknown, pages: PagingSettings) {
  if (list === null) return null;
  const read = list.length;
  if (typeof counted === "number") return counted > read ? { read, total: counted } : null;
  const signs = pageSigns(reply, list, null, pages);
  const next = nextPage({ signs, asked: null, named: null, count: read, read }, pages);
  return "end" in next && next.end === null ? null : { read, total: signs.total };
}

/** Given and family name; null when the reply has neither. */
function joinedName(person: unknown, placesIn: (field: string) => string[]): string | null {
  const parts = ["personGivenName", "personFamilyName"].flatMap(
    (field) => textAt(person, placesIn(field)) ?? [],
  );
  return parts.length === 0 ? null : parts.join(" ");
}
