import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Course } from "../../domain/course.ts";
import type { MoreOfList } from "../../domain/list-pages.ts";
import { plainName } from "../../domain/person.ts";
import type { Section } from "../../domain/section.ts";
import { type WebhookHandler, webhookHandler } from "../../inbox/webhook-handlers.ts";
import { NamedError } from "../../kernel/errors.ts";
import { byId, byKey } from "../../kernel/lists.ts";
import { refusal } from "../../kernel/refusal.ts";
import { cutTo } from "../../kernel/text.ts";
import { likelyCohorts } from "../members/rules/names.ts";
import {
  type Cohort,
  type CohortKey,
  cohortName,
  cohortRecordId,
  deletedSince,
  knownAlive,
  type ListedCohort,
  type SectionLink,
} from "./rules/cohort.ts";

/** PROGRAM_AND_COHORT (interface 6.7). */
export function cohortWebhooks(app: CohortsApp): WebhookHandler {
  return webhookHandler("PROGRAM_AND_COHORT", {
    asksClassroom: true,
    handle: async ({ receipt: { environment, receivedAt }, webhook }) => {
      const noted = await refreshCohort(app, { environment, receivedAt, ...webhook });
      if (noted === "noted") return { state: "done" };
      const reason = `The eventType "${cutTo(webhook.eventType, 100)}" of cohorts is not known; the webhook is kept as it came.`;
      return { state: "kept", reason, code: "event-type-unknown" };
    },
  });
}

/** What reading a cohort from the classroom needs. */
export type CohortsApp = Pick<App, "cohorts" | "clock"> & {
  classroomOf: (environment: AccountId) => Pick<ClassroomClient, "readCohort">;
};

type CohortChange = CohortKey & {
  eventType: string;
  /** When it changed (ms). */
  at: number;
  /** When the webhook came (ms). */
  receivedAt: number;
  /** A classroom user id. */
  updatedBy?: string | null;
};

/** The documented types. Others have no effect. */
const readAfter: readonly string[] = ["COHORT_CREATED", "COHORT_UPDATED"];

/** Clocks of several processes differ a little (ms). */
const toleranceMs = 2_000;

/**
 * Reads a created or updated cohort, and marks a deleted one. Makes no call if the cohort was read since the webhook came.
 * @returns "unknown-type" for an undocumented eventType, which has no effect. @throws the classroom client's errors.
 */
export async function refreshCohort(
  app: CohortsApp,
  { environment, programId, cohortId, eventType, at, receivedAt, updatedBy = null }: CohortChange,
): Promise<"noted" | "unknown-type"> {
  const key = { environment, programId, cohortId };
  const change = { by: updatedBy, at };
  if (eventType === "COHORT_DELETED") {
    await app.cohorts.noteDeleted(key, at);
    await app.cohorts.noteChange(key, change);
    return "noted";
  }
  if (!readAfter.includes(eventType)) return "unknown-type";
  const known = await app.cohorts.find(key);
  if (known === null || !isFresh(known, receivedAt)) await readCohort(app, key, { changedAt: at });
  if ((await app.cohorts.find(key)) !== null) await app.cohorts.noteChange(key, change);
  return "noted";
}

/**
 * Reads a cohort. If the classroom doesn't know it, what is known about it stays. @param options.changedAt When the change that caused the
 * reading happened (ms).
 * @returns null if it's unknown here, too. @throws the classroom client's errors.
 */
export async function readCohort(
  app: CohortsApp,
  key: CohortKey,
  options: { changedAt?: number; priority?: "background" | "instructor" } = {},
): Promise<Cohort | null> {
  const { environment, programId, cohortId } = key;
  let readAt = app.clock.now();
  const reply = await app.classroomOf(environment).readCohort(
    { programId, cohortId },
    {
      priority: options.priority ?? "background",
      onPermit: () => {
        readAt = app.clock.now();
      },
    },
  );
  if (reply !== null) {
    const aliveAt = knownAlive(readAt, options.changedAt ?? null);
    await app.cohorts.noteRead(key, reply, { readAt, aliveAt });
  } else if (options.changedAt !== undefined || (await app.cohorts.find(key)) !== null) {
    // Deleted since. An unknown cohort gets no record.
    await app.cohorts.noteGone(key, readAt);
  }
  return app.cohorts.find(key);
}

/** Reads a cohort known only by the name that lists give. Without an answer, a webhook or an instructor triggers the next reading. */
export async function readUnread(app: CohortsApp, key: CohortKey): Promise<void> {
  const known = await app.cohorts.find(key);
  if (known === null || known.readAt !== null || deletedSince(known) !== null) return;
  try {
    await readCohort(app, key, { priority: "instructor" });
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
  }
}

/** Whether a successful reading began after the webhook came, and so includes its change. */
function isFresh({ readAt, lookedAt, goneAt }: Cohort, receivedAt: number): boolean {
  return goneAt === null && readAt !== null && readAt === lookedAt && readAt > receivedAt + toleranceMs;
}

/** How many cohorts are read. A search narrows them down. */
const maxListed = 2_000;
/** How many cohorts are suggested for a section. */
const maxSuggested = 3;

/** Finds cohorts by name. @param search Words that the name must contain. @returns also how many of those read are deleted. */
export async function findCohorts(
  app: Pick<App, "cohorts">,
  { environment }: Pick<Course, "environment">,
  search: string,
): Promise<{ cohorts: ListedCohort[]; more: boolean; deleted: number }> {
  const words = plainName(search)
    .split(" ")
    .filter((word) => word !== "")
    .slice(0, 8);
  const found = await app.cohorts.list(environment, words, maxListed + 1);
  const cohorts = found.slice(0, maxListed).filter((one) => deletedSince(one) === null);
  const looked = Math.min(found.length, maxListed);
  return { cohorts, more: found.length > maxListed, deleted: looked - cohorts.length };
}

/** Why there are no cohorts: none was ever known, or all are deleted. */
export function whyNone(deleted: number): "noneKnown" | "noneLeft" {
  return deleted === 0 ? "noneKnown" : "noneLeft";
}

/**
 * Suggests cohorts for unlinked sections with similar names. An instructor decides. Leaves out cohorts linked to another section of the
 * course.
 * @returns the likeliest first. Leaves out sections without suggestions.
 */
export function suggestCohorts(
  course: Pick<Course, "title" | "label">,
  sections: readonly Pick<Section, "lmsSectionId" | "lmsName" | "givenName">[],
  cohorts: readonly ListedCohort[],
  links: readonly SectionLink[],
): Map<string, ListedCohort[]> {
  const taken = new Set(links.map(cohortRecordId));
  const linked = new Set(links.map(({ lmsSectionId }) => lmsSectionId));
  const free = cohorts.filter((cohort) => !taken.has(cohort.id));
  const likelyFor = likelyCohorts(`${course.title} ${course.label}`, free);
  const suggested = new Map<string, ListedCohort[]>();
  for (const { lmsSectionId, lmsName, givenName } of sections) {
    const name = givenName ?? lmsName;
    if (name === null || linked.has(lmsSectionId)) continue;
    const likely = likelyFor(name, maxSuggested);
    if (likely.length > 0) suggested.set(lmsSectionId, likely);
  }
  return suggested;
}

/** What reading the classroom's list of cohorts needs. */
type CohortListApp = Pick<App, "cohorts" | "clock"> & {
  classroomOf: (environment: AccountId) => Pick<ClassroomClient, "cohortList">;
};

/** How many programs are read, if each takes a call. */
const maxPrograms = 40;

export function listsCohorts({ classroomOf }: Pick<CohortListApp, "classroomOf">, environment: AccountId) {
  return classroomOf(environment).cohortList !== null;
}

/**
 * Stores the names in the classroom's list of cohorts. If lists are by program, reads those of known programs. Cohorts missing from it stay.
 * @throws the classroom client's errors; NamedError "cohorts-not-listed". @returns `more`: what was left unread.
 */
export async function readCohortList(
  app: CohortListApp,
  environment: AccountId,
): Promise<{ found: number; more: MoreOfList | null }> {
  const list = app.classroomOf(environment).cohortList;
  if (list === null) throw refusal("cohorts-not-listed", { status: 404 });
  const programs = list.ofProgram ? await app.cohorts.programs(environment, maxPrograms) : [undefined];
  let found = 0;
  let more: MoreOfList | null = null;
  for (const program of programs) {
    const readAt = app.clock.now();
    const reply = await list.read(program, { priority: "instructor" });
    for (const { programId, cohortId, name } of reply.entries)
      await app.cohorts.noteListed({ environment, programId, cohortId }, name, {
        readAt,
        aliveAt: knownAlive(readAt, null),
      });
    found += reply.entries.length;
    more ??= reply.more;
  }
  return { found, more };
}

/** Linked cohorts that were deleted in the classroom, latest first. Costs one read if nothing is linked. */
export async function listCohortAttention(
  app: Pick<App, "cohorts" | "sectionLinks" | "sections">,
  course: Pick<Course, "id" | "registrationId">,
) {
  const links = await app.sectionLinks.listLinked(course.registrationId, course.id);
  if (links.length === 0) return [];
  const cohorts = byId(await app.cohorts.findMany(links.map(cohortRecordId)));
  const deleted = links.flatMap((link) => {
    const cohort = cohorts.get(cohortRecordId(link));
    const deletedAt = cohort === undefined ? null : deletedSince(cohort);
    return cohort === undefined || deletedAt === null ? [] : [{ link, cohort, deletedAt }];
  });
  if (deleted.length === 0) return [];
  const sections = byKey(
    await app.sections.listOf(course.registrationId, course.id),
    ({ lmsSectionId }) => lmsSectionId,
  );
  return deleted
    .sort((one, other) => other.deletedAt - one.deletedAt)
    .map(({ link, cohort, deletedAt }) => {
      const { lmsSectionId, programId, cohortId } = link;
      const section = sections.get(lmsSectionId);
      return {
        lmsSectionId,
        /** Null if only its id is known. */
        sectionName: section?.givenName ?? section?.lmsName ?? link.sectionName,
        cohortName: cohortName(cohort),
        programId,
        cohortId,
        /** Since when it has been missing (ms). */
        deletedAt,
      };
    });
}
