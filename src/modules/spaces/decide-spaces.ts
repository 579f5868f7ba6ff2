import type { App } from "../../app.ts";
import { courseName } from "../courses/rules/course-name.ts";
import type { Course } from "../../domain/course.ts";
import { isMadeFor, type SpaceDecider, type SpaceName } from "./rules/space-right.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type DecideSpacesDeps = AuditDeps &
  CourseAuditDeps &
  Pick<App, "courses" | "spaceRegister" | "spaceRequests">;

/**
 * late: already decided · operator: only an operator can decide · closed: the course was erased or the LMS uninstalled
 * · ownOnly: the institution allows only Spaces made for its courses.
 */
export type SpaceDecided = "approved" | "refused" | "late" | "operator" | "closed" | "ownOnly";

/**
 * @param within The LMS whose administrator answers; null for an operator. @throws NamedError "space-request-unknown",
 *   also for a request of another LMS
 */
export async function answerSpaceRequest(
  deps: DecideSpacesDeps,
  id: string,
  answer: "approve" | "refuse",
  within: string | null,
): Promise<SpaceDecided> {
  const request = await deps.spaceRequests.find(id);
  const course = request === null ? null : await deps.courses.find(request.courseId);
  if (request === null || course === null || (within ?? course.registrationId) !== course.registrationId) {
    throw refusal("space-request-unknown", {
      status: 404,
    });
  }
  if (request.state !== "open") return "late";
  // The decision goes first: of two concurrent answers one has no effect.
  const decided = answer === "approve" ? "approved" : "refused";
  if (!(await deps.spaceRequests.decide(id, decided, deciderOf(within), deps.clock.now()))) return "late";
  if (answer === "approve") {
    const outcome = await approveSpace(deps, course, request.spaceId, within);
    if (outcome !== "approved") await deps.spaceRequests.reopen(id);
    return outcome;
  }
  await writeTrails(deps, course, request.spaceId, "space-refused");
  return "refused";
}

/** Answers an open request, too. @param within As above: an administrator cannot give what another LMS has. */
export async function approveSpace(
  deps: DecideSpacesDeps,
  course: Course,
  spaceId: string,
  within: string | null,
): Promise<Exclude<SpaceDecided, "refused" | "late">> {
  const now = deps.clock.now();
  const by = deciderOf(within);
  if (course.ownSpacesOnly === true) {
    const known = await deps.spaceRegister.find({ environment: course.environment, spaceId });
    if (!isMadeFor(known, course.registrationId)) return "ownOnly";
  }
  const given = await deps.spaceRegister.allow(course, spaceId, { by }, now);
  // The reason is not said: it would reveal another LMS.
  if (given !== "allowed") return by === "operator" ? "closed" : "operator";
  const request = await deps.spaceRequests.findOf(course.id, { environment: course.environment, spaceId });
  if (request !== null) await deps.spaceRequests.decide(request.id, "approved", by, now, ["open", "refused"]);
  await writeTrails(deps, course, spaceId, "space-approved");
  return "approved";
}

/** @returns false when the course had no right to it. */
export async function withdrawSpace(
  deps: DecideSpacesDeps,
  course: Course,
  spaceId: string,
): Promise<boolean> {
  const space = { environment: course.environment, spaceId };
  if (!(await deps.spaceRegister.take(course.id, space))) return false;
  await writeTrails(deps, course, spaceId, "space-withdrawn");
  return true;
}

export async function closeSpace(deps: DecideSpacesDeps, space: SpaceName): Promise<void> {
  await deps.spaceRegister.close(space, deps.clock.now());
  await writeAudit(deps, { what: "space-closed", registrationId: null, on: space.spaceId });
}

function deciderOf(within: string | null): SpaceDecider {
  return within === null ? "operator" : "lms-administrator";
}

async function writeTrails(
  deps: DecideSpacesDeps,
  course: Course,
  spaceId: string,
  what: "space-approved" | "space-refused" | "space-withdrawn",
): Promise<void> {
  const { registrationId } = course;
  await writeAudit(deps, { what, registrationId, on: `${courseName(course)} · ${spaceId}` });
  await writeCourseAudit(deps, course, deps.personId ?? deps.who, { what, after: spaceId });
}
