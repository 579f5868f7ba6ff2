import type { SpacesApp } from "./space-rights.ts";
import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { fullName } from "../../domain/person.ts";
import { byId, byKey } from "../../kernel/lists.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type AuditApp, writeAudit, writeCourseAudit } from "../audit/audit.ts";
import { courseName } from "../courses/rules/course.ts";
import { isMadeFor, maxRows, spaceKey, type SpaceDecider, type SpaceName } from "./rules/space-right.ts";

/** Also for the command line, which doesn't know the addresses of Spaces. */
type DecidingApp = AuditApp & Omit<SpacesApp, "appUrlOf">;

/** What listing Spaces with the names of those who use them needs. */
type ListingApp = Pick<App, "courses" | "people" | "registrations" | "spaceRegister" | "spaceRequests">;

type ListedSpaces = Awaited<ReturnType<typeof listSpaces>>;
export type ListedRequest = ListedSpaces["requests"][number];
export type ListedRight = ListedSpaces["given"][number];

/** Spaces that weren't made for their course. @param within The LMS whose administrator looks. Null for operators. */
export async function listSpaces(app: ListingApp, within: string | null) {
  const [requests, rights, closed] = await Promise.all([
    app.spaceRequests.listOpen(within, maxRows),
    app.spaceRegister.listGiven(within, maxRows),
    within === null ? app.spaceRegister.listClosed(maxRows) : [],
  ]);
  const courseIds = [...requests, ...rights].map(({ courseId }) => courseId);
  const through = rights.flatMap(({ throughCourseId }) => throughCourseId ?? []);
  const [listed, registrations, people, asked, uses] = await Promise.all([
    app.courses.listMany([...new Set([...courseIds, ...through])]),
    app.registrations.list(),
    app.people.findMany(requests.map(({ personId }) => personId)),
    app.spaceRegister.findMany(requests),
    within === null ? app.spaceRegister.rightsTo(rights) : [],
  ]);
  const courses = byId(listed.map(({ course }) => course));
  const lmss = byId(registrations);
  const lmsName = (id: string) => lmss.get(id)?.name ?? id;
  /** A course and its LMS by their present names. */
  const inCourse = (one: { courseId: string; registrationId: string }, isOwn: boolean) => {
    const course = courses.get(one.courseId);
    return {
      course: course === undefined ? one.courseId : courseName(course),
      lms: lmsName(one.registrationId),
      /** Not made for the course, though its institution allows only such Spaces. */
      notOwn: course?.ownSpacesOnly === true && !isOwn,
    };
  };
  const askers = byId(people);
  const spaces = byKey(asked, spaceKey);
  const usesOf = Map.groupBy(uses, spaceKey);
  return {
    requests: requests.map((request) => {
      const asker = askers.get(request.personId);
      const isOwn = isMadeFor(spaces.get(spaceKey(request)) ?? null, request.registrationId);
      return {
        ...request,
        ...inCourse(request, isOwn),
        /** The name, or the LMS's user id. Null if erased. */
        asker: asker === undefined ? null : (fullName(asker) ?? asker.sub),
      };
    }),
    /** Linked before requests existed. */
    given: rights.map((right) => {
      const proven = courses.get(right.throughCourseId ?? "");
      const using = (usesOf.get(spaceKey(right)) ?? []).map(({ registrationId }) => registrationId);
      const others = new Set(using.filter((id) => id !== right.registrationId));
      return {
        ...right,
        ...inCourse(right, right.madeForLms),
        /** The course through which it was proven. */
        through: proven === undefined ? null : courseName(proven),
        /** Other LMSs that use the Space, for operators only. */
        sharedWith: [...others].map(lmsName),
      };
    }),
    /** Closed by operators, for operators only. */
    closed,
  };
}

/**
 * late: already decided · operator: only an operator can decide · closed: the course was erased or the LMS uninstalled · ownOnly: the
 * institution allows only Spaces made for its courses.
 */
type SpaceDecided = "approved" | "refused" | "late" | "operator" | "closed" | "ownOnly";

/**
 * @param within The LMS whose administrator answers. Null for an operator. @throws NamedError "space-request-unknown", also for a request of
 * another LMS
 */
export async function answerSpaceRequest(
  app: DecidingApp,
  id: string,
  answer: "approve" | "refuse",
  within: string | null,
): Promise<SpaceDecided> {
  const request = await app.spaceRequests.find(id);
  const course = request === null ? null : await app.courses.find(request.courseId);
  if (request === null || course === null || (within ?? course.registrationId) !== course.registrationId) {
    throw refusal("space-request-unknown", { status: 404 });
  }
  if (request.state !== "open") return "late";
  // The decision is stored first: of two concurrent answers, one has no effect.
  const decided = answer === "approve" ? "approved" : "refused";
  if (!(await app.spaceRequests.decide(id, decided, deciderOf(within), app.clock.now()))) return "late";
  if (answer === "approve") {
    const outcome = await approveSpace(app, course, request.spaceId, within);
    if (outcome !== "approved") await app.spaceRequests.reopen(id);
    return outcome;
  }
  await writeTrails(app, course, request.spaceId, "space-refused");
  return "refused";
}

/** Also answers an open request. @param within As above: an administrator can't give what another LMS has. */
export async function approveSpace(
  app: DecidingApp,
  course: Course,
  spaceId: string,
  within: string | null,
): Promise<Exclude<SpaceDecided, "refused" | "late">> {
  const now = app.clock.now();
  const by = deciderOf(within);
  if (course.ownSpacesOnly === true) {
    const known = await app.spaceRegister.find({ environment: course.environment, spaceId });
    if (!isMadeFor(known, course.registrationId)) return "ownOnly";
  }
  const given = await app.spaceRegister.allow(course, spaceId, { by }, now);
  // The reason isn't told, because it would reveal another LMS.
  if (given !== "allowed") return by === "operator" ? "closed" : "operator";
  const request = await app.spaceRequests.findOf(course.id, { environment: course.environment, spaceId });
  if (request !== null) await app.spaceRequests.decide(request.id, "approved", by, now, ["open", "refused"]);
  await writeTrails(app, course, spaceId, "space-approved");
  return "approved";
}

/** @returns false if the course had no right to it. */
export async function withdrawSpace(app: DecidingApp, course: Course, spaceId: string): Promise<boolean> {
  const space = { environment: course.environment, spaceId };
  if (!(await app.spaceRegister.take(course.id, space))) return false;
  await writeTrails(app, course, spaceId, "space-withdrawn");
  return true;
}

export async function closeSpace(app: DecidingApp, space: SpaceName): Promise<void> {
  await app.spaceRegister.close(space, app.clock.now());
  await writeAudit(app, { what: "space-closed", registrationId: null, on: space.spaceId });
}

function deciderOf(within: string | null): SpaceDecider {
  return within === null ? "operator" : "lms-administrator";
}

async function writeTrails(
  app: DecidingApp,
  course: Course,
  spaceId: string,
  what: "space-approved" | "space-refused" | "space-withdrawn",
): Promise<void> {
  const { registrationId } = course;
  await writeAudit(app, { what, registrationId, on: `${courseName(course)} · ${spaceId}` });
  await writeCourseAudit(app, course, app.personId ?? app.who, { what, after: spaceId });
}
