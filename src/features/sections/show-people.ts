import type { Course, Member, Person } from "../../domain/course.ts";
import { changedName } from "../../domain/provisioning.ts";
import type { PlatformFamily } from "../../domain/registration.ts";
import type { RosterSync } from "../../domain/roster-sync.ts";
import type { Section } from "../../domain/section.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import type { MemberStore } from "../../storage/member-store.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import type { RegistrationStore } from "../../storage/registration-store.ts";
import type { RosterSyncStore } from "../../storage/roster-sync-store.ts";
import type { SectionStore } from "../../storage/section-store.ts";
import { countReadiness, nobodyReady, type Readiness, type ReadinessDeps } from "../members/readiness.ts";

export type ShowPeopleDeps = ReadinessDeps & {
  members: MemberStore;
  people: PersonStore;
  sections: SectionStore;
  rosterSyncs: RosterSyncStore;
  registrations: Pick<RegistrationStore, "find">;
};

/** How many people of a kind are in the course now; preview students are none. */
export type Headcount = { learners: number; instructors: number };

/** A section with its people. */
export type SectionRow = Pick<Section, "lmsSectionId" | "lmsName" | "lmsSetName" | "givenName"> & Headcount;

/** A member as instructors see them. */
export type PersonRow = Pick<Member, "role" | "active" | "testUser" | "sectionIds"> & {
  sub: string;
  /** Null when the LMS withholds names. */
  name: string | null;
  /** The other name under which the classroom knows them; null when it is the same, or none is known. */
  knownAs: string | null;
  /** The classroom's id of them, for inviting them there; null until they were made known to it. */
  apiUserId: string | null;
};

/** The page "People and sections". */
export type PeoplePage = {
  family: PlatformFamily;
  /** Whether the LMS offers a list of people at all. */
  rosterOffered: boolean;
  /** Null when none was ever asked for. */
  sync: RosterSync | null;
  total: Headcount & { inactive: number; withoutSection: Headcount };
  readiness: Readiness;
  sections: SectionRow[];
  /** The section whose people are listed; null for everybody. */
  sectionId: string | null;
  rows: PersonRow[];
  /** Page shown, counted from 1, how many there are, and how many people are on all of them. */
  page: number;
  pages: number;
  listed: number;
};

/** People on one page. */
const perPage = 50;
/** Members read in one go while counting. */
const slice = 500;

/** What an instructor sees of the people of a course: who, in which section, and how fresh that is. */
export async function showPeople(
  deps: ShowPeopleDeps,
  course: Course,
  wanted: { page: number; sectionId: string | null },
): Promise<PeoplePage> {
  const key = { registrationId: course.registrationId, courseId: course.id };
  const sections = await deps.sections.listOf(course.registrationId, course.id);
  const sectionId = sections.some((one) => one.lmsSectionId === wanted.sectionId) ? wanted.sectionId : null;
  const counted = await count(deps, key);
  const read = (page: number) =>
    deps.members.page(key, sectionId, { skip: (page - 1) * perPage, limit: perPage });
  let page = Math.max(1, wanted.page);
  let part = await read(page);
  const pages = Math.max(1, Math.ceil(part.total / perPage));
  if (page > pages) {
    page = pages; // people have left since the page was shown
    part = await read(page);
  }
  const people = new Map(
    (await deps.people.findMany(part.members.map(({ personId }) => personId))).map((one) => [one.id, one]),
  );
  return {
    family: (await deps.registrations.find(course.registrationId))?.family ?? "other",
    rosterOffered: course.membershipsUrl !== null,
    sync: await deps.rosterSyncs.find(course.registrationId, course.id),
    total: counted.total,
    readiness: counted.readiness,
    sections: sections.sort(bySection).map(({ lmsSectionId, lmsName, lmsSetName, givenName }) => ({
      lmsSectionId,
      lmsName,
      lmsSetName,
      givenName,
      ...(counted.bySection.get(lmsSectionId) ?? { learners: 0, instructors: 0 }),
    })),
    sectionId,
    rows: part.members.map(({ personId, role, active, testUser, sectionIds }) => ({
      role,
      active,
      testUser,
      sectionIds,
      sub: people.get(personId)?.sub ?? "",
      name: people.get(personId)?.name ?? null,
      knownAs: knownAs(people.get(personId)),
      apiUserId: people.get(personId)?.apiUserId ?? null,
    })),
    page,
    pages,
    listed: part.total,
  };
}

/** Counts who is in the course now, in slices, so that a course of thousands holds nobody up. */
async function count(deps: ShowPeopleDeps, key: { registrationId: string; courseId: string }) {
  const readiness = nobodyReady();
  const nobody = (): Headcount => ({ learners: 0, instructors: 0 });
  const total = { ...nobody(), inactive: 0, withoutSection: nobody() };
  const bySection = new Map<string, Headcount>();
  const add = (to: Headcount, { role }: Member) => {
    to[role === "learner" ? "learners" : "instructors"] += 1;
  };
  let last = "";
  for (;;) {
    const some = await deps.members.listAfter(key, last, slice);
    for (const member of some.filter(({ testUser }) => !testUser)) {
      if (!member.active) {
        total.inactive += 1;
        continue;
      }
      add(total, member);
      if (member.sectionIds.length === 0) add(total.withoutSection, member);
      for (const id of member.sectionIds) {
        const counted = bySection.get(id) ?? nobody();
        bySection.set(id, counted);
        add(counted, member);
      }
    }
    await countReadiness(deps, key.courseId, some, readiness);
    if (some.length < slice) return { total, bySection, readiness };
    last = some.at(-1)?.personId ?? last;
    await letOthersRun();
  }
}

function knownAs(person: Person | undefined): string | null {
  return person === undefined || changedName(person) === null ? null : person.apiUserName;
}

/** Sets together, then by name, then by the LMS's id as a number: "Group 9" before "Group 10". */
function bySection(one: Section, other: Section): number {
  const numeric = { numeric: true };
  return (
    (one.lmsSetName ?? "").localeCompare(other.lmsSetName ?? "", undefined, numeric) ||
    nameOf(one).localeCompare(nameOf(other), undefined, numeric) ||
    one.lmsSectionId.localeCompare(other.lmsSectionId, undefined, numeric)
  );
}

function nameOf({ givenName, lmsName }: Section): string {
  return givenName ?? lmsName ?? "";
}
