import type { App } from "../../app.ts";
import { classroomRoleOf } from "../../domain/api-user.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import { plainName } from "./rules/name-likeness.ts";
import { usersToRename } from "./rules/provisioning.ts";
import type { SectionKind } from "../../domain/lms-product.ts";
import type { RosterSync } from "./rules/roster-sync.ts";
import type { RegistrationStore } from "../registration/store/registration-store.ts";
import type { Section } from "../../domain/section.ts";
import { countReadiness, type Readiness, type ReadinessDeps } from "./readiness.ts";
import { type Headcount, inSectionOrder } from "./count-members.ts";
import { capabilitiesOf } from "../../lms/products/capabilities-of.ts";

export type ShowPeopleDeps = ReadinessDeps &
  Pick<App, "members" | "people" | "sections" | "rosterSyncs"> & {
    registrations: Pick<RegistrationStore, "find">;
  };

export type PersonRow = Pick<Member, "role" | "active" | "testUser" | "sectionIds" | "lastLaunchAt"> & {
  /** unlisted: an instructor who was in no roster, such as the LMS's administrator, has not left. */
  away: "inactive" | "unlisted" | null;
  personId: string;
  sub: string;
  name: string | null;
  /** Another name known to the classroom. */
  knownAs: string | null;
  /** In their role here, for invitations in the classroom. */
  apiUserId: string | null;
};

export type PeopleFilter = {
  search: string;
  role: Member["role"] | null;
  /** The LMS's id; null for all. */
  sectionId: string | null;
};

export type PeoplePage = {
  sectionKind: SectionKind;
  rosterOffered: boolean;
  /** Null when none was ever requested. */
  sync: RosterSync | null;
  total: Headcount & { inactive: number };
  readiness: Readiness;
  sections: Section[];
  filter: PeopleFilter;
  rows: PersonRow[];
  /** Counted from 1; number of pages, and of people on all of them. */
  page: number;
  pages: number;
  listed: number;
};

const pageSize = 50;

/** People of a course for instructors: who, in which section, and how recent that is. */
export async function showPeople(
  deps: ShowPeopleDeps,
  course: Course,
  wanted: Pick<PeopleFilter, "sectionId"> & Partial<PeopleFilter> & { page: number },
): Promise<PeoplePage> {
  const { search = "", role = null } = wanted;
  const key = { registrationId: course.registrationId, courseId: course.id };
  const sections = await deps.sections.listOf(course.registrationId, course.id);
  const sectionId = sections.some((one) => one.lmsSectionId === wanted.sectionId) ? wanted.sectionId : null;
  const { students, ...total } = await deps.members.headcounts(key);
  const readiness = await countReadiness(deps, key, students + total.instructors);
  const words = plainName(search)
    .split(" ")
    .filter((word) => word !== "")
    .slice(0, 8);
  const narrowed = { sectionId, role, words };
  const read = (page: number) =>
    deps.members.searchPage(key, narrowed, { skip: (page - 1) * pageSize, limit: pageSize });
  let page = Math.max(1, wanted.page);
  let part = await read(page);
  const pages = Math.max(1, Math.ceil(part.total / pageSize));
  if (page > pages) {
    page = pages; // people have left since the page was shown
    part = await read(page);
  }
  const people = new Map(
    (await deps.people.findMany(part.members.map(({ personId }) => personId))).map((one) => [one.id, one]),
  );
  return {
    sectionKind: capabilitiesOf(await deps.registrations.find(course.registrationId)).sections,
    rosterOffered: course.membershipsUrl !== null,
    sync: await deps.rosterSyncs.find(course.registrationId, course.id),
    total,
    readiness,
    sections: sections.toSorted(inSectionOrder),
    filter: { search, role, sectionId },
    rows: part.members.map(({ personId, role, active, listed, testUser, sectionIds, lastLaunchAt }) => ({
      personId,
      role,
      active,
      away: active ? null : role === "instructor" && (listed ?? null) === null ? "unlisted" : "inactive",
      testUser,
      sectionIds,
      lastLaunchAt,
      sub: people.get(personId)?.sub ?? "",
      name: people.get(personId)?.name ?? null,
      knownAs: knownAs(people.get(personId)),
      apiUserId: people.get(personId)?.apiUsers[classroomRoleOf(role)]?.id ?? null,
    })),
    page,
    pages,
    listed: part.total,
  };
}

function knownAs(person: Person | undefined): string | null {
  return person === undefined ? null : (usersToRename(person)[0]?.name ?? null);
}
