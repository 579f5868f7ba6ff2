import type { App } from "../../app.ts";
import { pausedUntil } from "../registration/rules/lms-pause.ts";
import type { Course } from "../../domain/course.ts";
import type { Registration } from "../../domain/registration.ts";
import { never, rosterAttempts, type RosterSync, rosterRetryAfter } from "./rules/roster-sync.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { Groups } from "../../lms/groups.ts";
import type { Roster, RosterMember } from "../../lms/roster.ts";
import type { RosterOutcome, RosterProgress } from "./store/roster-sync-store.ts";
import type { LearnedSection } from "./store/section-store.ts";
import {
  requireActiveRegistration,
  type RequireActiveRegistrationDeps,
} from "../registration/require-active-registration.ts";
import { withClaim } from "../../kernel/with-claim.ts";
import { withGroupsOfPeople } from "./groups-of-people.ts";
import { saveSections, type LearnSectionsDeps } from "./save-sections.ts";
import { rosterProblem } from "./roster-problem.ts";
import { takeOverRoster, type TakeOverRosterDeps } from "./take-over-roster.ts";
import { capabilitiesOf } from "../../lms/products/capabilities-of.ts";

export type SyncRosterDeps = TakeOverRosterDeps &
  RequireActiveRegistrationDeps &
  LearnSectionsDeps &
  Pick<App, "rosterSyncs" | "courses" | "clock" | "logger"> & {
    roster: Roster;
    groups: Groups;
    /** Aborted when this process is about to end: what is under way is left to another one, or to the next start. */
    ending: AbortSignal;
  };

/** Progress is written down this often at most (ms). */
const progressEvery = 250;

/**
 * Reads the LMS's list of people of a course and takes it over, under a claim. The list is read to its end first: a
 * failure on the way changes nothing. Whatever happens is written down; a temporary failure is tried again.
 */
export async function syncRoster(deps: SyncRosterDeps, sync: RosterSync, holder: string): Promise<void> {
  const { rosterSyncs, clock, logger } = deps;
  const outcome = await withClaim(
    deps,
    (until) => rosterSyncs.extend(sync.id, holder, until),
    () => attempt(deps, sync, holder),
  );
  await rosterSyncs.settle(sync.id, holder, outcome);
  logger.info(
    {
      course: sync.courseId,
      state: outcome.state,
      people: outcome.listed,
      ...(outcome.problem == null ? {} : { problem: outcome.problem }),
      ms: clock.now() - (sync.startedAt ?? clock.now()),
    },
    "roster read",
  );
}

async function attempt(deps: SyncRosterDeps, sync: RosterSync, holder: string): Promise<RosterOutcome> {
  try {
    const listed = await readAndTakeOver(deps, sync, progressWriter(deps, sync, holder));
    const now = deps.clock.now();
    const done = { state: "done", dueAt: never, attempts: 0, problem: null } as const;
    return { ...done, listed, finishedAt: now, doneAt: now };
  } catch (thrown) {
    if (deps.ending.aborted) {
      return { state: "waiting", dueAt: deps.clock.now(), attempts: sync.attempts - 1 };
    }
    const temporary = !(thrown instanceof NamedError) || thrown.temporary;
    if (!(thrown instanceof NamedError)) {
      deps.logger.error(
        { course: sync.courseId, error: messageOf(thrown) },
        "reading a roster failed unexpectedly",
      );
    }
    const now = deps.clock.now();
    const until = pausedUntil(thrown);
    const wait = temporary ? rosterRetryAfter(sync.attempts, askedFor(thrown)) : null;
    return {
      state: "failed",
      // Nothing was tried of this course: it waits for the LMS along with all others.
      ...(until === null ? {} : { attempts: sync.attempts - 1 }),
      dueAt: until ?? (wait === null ? never : now + wait),
      finishedAt: now,
      problem: rosterProblem(thrown),
      problemCode: thrown instanceof NamedError ? thrown.code : "unexpected",
    };
  }
}

/** @returns how many entries the list had. */
async function readAndTakeOver(
  deps: SyncRosterDeps,
  sync: RosterSync,
  progress: (to: RosterProgress, now?: "now") => Promise<void>,
): Promise<number> {
  if (sync.attempts > rosterAttempts + 1) {
    throw refusal("roster-given-up");
  }
  const { registration, course, membershipsUrl } = await placeOf(deps, sync);
  const product = capabilitiesOf(registration);
  const read = await deps.roster.list(
    { registration, membershipsUrl },
    {
      ...(product.rosterByLink ? { resourceLinkId: course.contextId } : {}),
      withGroups: course.groupsUrl !== null,
    },
    (count) => progress({ listed: count, written: 0, total: null }),
  );
  if (read.length === 0) {
    throw refusal("roster-empty");
  }
  const named = await groupNames(deps, registration, course);
  const { groupsUrl, groupSetsUrl: setsUrl } = course;
  const listed =
    groupsUrl === null
      ? read
      : await withGroupsOfPeople(deps, { registration, groupsUrl, setsUrl }, read, named.length > 0);
  await progress({ listed: listed.length, written: 0, total: listed.length }, "now");
  await takeOverRoster(
    deps,
    { course, product, startedAt: sync.startedAt ?? deps.clock.now(), listed },
    (written, total) => progress({ listed: listed.length, written, total }),
  );
  await saveSections(deps, course, { customs: customsOf(listed), groupIds: groupIdsOf(listed), named });
  return listed.length;
}

async function placeOf(
  deps: SyncRosterDeps,
  sync: RosterSync,
): Promise<{ registration: Registration; course: Course; membershipsUrl: string }> {
  const course = await deps.courses.find(sync.courseId);
  if (course === null) throw refusal("course-unknown");
  const registration = await requireActiveRegistration(deps, course);
  if (course.membershipsUrl === null)
    throw new NamedError("roster-not-told", "The LMS gave no list of people.");
  return { registration, course, membershipsUrl: course.membershipsUrl };
}

/** Names of groups are welcome, not needed: the list of people counts without them. */
async function groupNames(
  deps: SyncRosterDeps,
  registration: Registration,
  { id, groupsUrl, groupSetsUrl }: Course,
): Promise<LearnedSection[]> {
  if (groupsUrl === null) return [];
  try {
    const groups = await deps.groups.list({ registration, groupsUrl, setsUrl: groupSetsUrl });
    return groups.map((group) => ({
      lmsSectionId: group.id,
      lmsName: group.name,
      lmsSetName: group.setName,
    }));
  } catch (thrown) {
    deps.logger.info({ course: id, error: messageOf(thrown) }, "the groups of a course could not be read");
    return [];
  }
}

/** Writes progress down now and then, and stops the work when somebody else has taken it over. */
function progressWriter(deps: SyncRosterDeps, sync: RosterSync, holder: string) {
  let last = 0;
  return async (to: RosterProgress, now?: "now"): Promise<void> => {
    deps.ending.throwIfAborted();
    if (now === undefined && deps.clock.now() - last < progressEvery) return;
    last = deps.clock.now();
    if (await deps.rosterSyncs.progress(sync.id, holder, to)) return;
    throw new NamedError("claim-lost", "Another process has taken this over.", { temporary: true });
  };
}

function customsOf(listed: readonly RosterMember[]): RosterMember["custom"][] {
  return listed.filter(({ active, rights }) => active && !rights.testUser).map(({ custom }) => custom);
}

function groupIdsOf(listed: readonly RosterMember[]): string[] {
  return [...new Set(listed.flatMap(({ groupIds }) => groupIds ?? []))];
}

function askedFor(thrown: unknown): number | null {
  const wait = thrown instanceof NamedError ? thrown.details["retryAfterMs"] : null;
  return typeof wait === "number" ? wait : null;
}
