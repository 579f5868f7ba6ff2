import type { CohortDetails, CohortKey, CohortPerson } from "../modules/cohorts/rules/cohort.ts";
import type { CallOptions, createReader, ListOptions } from "./create-reader.ts";
import type { Dialect } from "./dialect.ts";
import { placeholdersIn } from "./fill-template.ts";
import type { PagingSettings } from "./dialect-replies.ts";
import { nextPage, pageSigns } from "./read-pages.ts";
import { listsAt, textAt, valueAt } from "./read-reply.ts";

type CohortIds = Omit<CohortKey, "environment">;

/** A cohort; null means "not reported", which isn't the same as empty. */
export type CohortReply = CohortDetails & CohortIds;

/** A cohort in a list, without its people. They are read once a section is linked to it. */
export type ListedCohortReply = CohortIds & { name: string | null };

export function cohortsReader(deps: {
  dialect: Dialect;
  reader: Pick<ReturnType<typeof createReader>, "read" | "readList" | "placesOf" | "placesInEntry">;
}) {
  const { read, readList, placesOf, placesInEntry } = deps.reader;
  const { routes } = deps.dialect.operations.findCohorts;
  const { pages } = deps.dialect;
  const ofProgram = routes.some(({ path, query, body }) =>
    placeholdersIn([path, query, body]).some(({ value }) => value === "programId"),
  );
  return {
    readCohort: async (
      { programId, cohortId }: CohortIds,
      options: CallOptions,
    ): Promise<CohortReply | null> => {
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
    /** The document shows no address for it, so it is null until the dialect names one. */
    cohortList:
      routes.length === 0
        ? null
        : {
            /** Whether the service is asked for one program at a time. */
            ofProgram,
            /** @param programId Left out if the list covers all programs. */
            read: (programId: string | undefined, options: ListOptions) => {
              const entry = (
                item: unknown,
                places: (field: string) => string[],
              ): ListedCohortReply | null => {
                const cohortId = textAt(item, places("cohortId"));
                const ownProgram = textAt(item, places("programId")) ?? programId ?? null;
                if (cohortId === null || ownProgram === null) return null;
                return { cohortId, programId: ownProgram, name: textAt(item, places("name")) };
              };
              return readList(
                "findCohorts",
                "looking for cohorts",
                { programId },
                options,
                entry,
                "cohortId",
              );
            },
          },
  };
}

/** Whether a reply says that a list has more entries, by their number or by its pages. */
function cutOf(reply: unknown, list: readonly unknown[] | null, counted: unknown, pages: PagingSettings) {
  if (list === null) return null;
  const read = list.length;
  if (typeof counted === "number") return counted > read ? { read, total: counted } : null;
  const signs = pageSigns(reply, list, null, pages);
  const next = nextPage({ signs, asked: null, named: null, count: read, read }, pages);
  return "end" in next && next.end === null ? null : { read, total: signs.total };
}

/** Given and family name together; null if the reply has neither. */
function joinedName(person: unknown, placesIn: (field: string) => string[]): string | null {
  const parts = ["personGivenName", "personFamilyName"].flatMap(
    (field) => textAt(person, placesIn(field)) ?? [],
  );
  return parts.length === 0 ? null : parts.join(" ");
}
