import type { RequestHandler } from "express";
import type { Course, Member } from "../domain/course.ts";
import { capabilitiesOf, type Capability } from "../domain/course-rights.ts";
import { NamedError } from "../kernel/errors.ts";
import { type FormLimits, readFormOf } from "../kernel/read-form.ts";
import { refusal } from "../kernel/refusal.ts";
import type { CourseStore } from "../modules/courses/store/course-store.ts";
import type { MemberStore } from "../modules/members/store/member-store.ts";
import { allowFormsTo } from "./security-headers.ts";
import { type FormRequest, sessionAskedFor, presentedToken, tokenOf } from "./session-address.ts";
import type { Session, Sessions } from "./session.ts";

export type InstructorVisit = { session: Session; course: Course };

/**
 * Finds out who requests a course's page, and whether they may. Course pages decide that only here.
 * @param needs The capability that the page or change needs.
 * @throws NamedError "session-over", "instructors-only", "grades-not-allowed", "corrections-not-allowed"
 */
async function instructorVisit(
  deps: { sessions: Sessions; courses: Pick<CourseStore, "find"> },
  request: FormRequest,
  needs: Capability,
): Promise<InstructorVisit> {
  const session = await deps.sessions.read(tokenOf(request));
  const course = await deps.courses.find(session.courseId);
  if (session.role !== "instructor" || course === null) throw refusal("instructors-only", { status: 403 });
  if (!mayIn(session, course, needs)) throw notAllowed(needs);
  setTemplateLocals(request, session, course);
  return { session, course };
}

/** Whether a session may do this, by the rights that the institution gives its role now. */
export function mayIn(
  { role, staffRole }: Pick<Session, "role" | "staffRole">,
  { staff }: Pick<Course, "staff">,
  needs: Capability,
): boolean {
  return role === "instructor" && capabilitiesOf(staffRole, staff).includes(needs);
}

export function hiddenAreas(
  session: Pick<Session, "role" | "staffRole">,
  course: Pick<Course, "staff">,
): readonly string[] {
  return mayIn(session, course, "grades") ? [] : ["attendance", "grades"];
}

/** Sets what templates read besides a page's own values. */
export function setTemplateLocals(request: FormRequest, session: Session, course: Course): void {
  if (request.res !== undefined) request.res.locals["hides"] = hiddenAreas(session, course);
}

export function notAllowed(needs: Capability): NamedError {
  const options = { status: 403 };
  if (needs === "grades") return refusal("grades-not-allowed", options);
  if (needs === "corrections") return refusal("corrections-not-allowed", options);
  return refusal("instructors-only", options);
}

/** A member on a page about themselves. */
export type MyVisit = { session: Session; course: Course; member: Member };

export type MyVisitDeps = {
  sessions: Sessions;
  courses: Pick<CourseStore, "find">;
  members: Pick<MemberStore, "find">;
};

/**
 * Finds out who requests a page about themselves. Only the session decides which person that is, whatever the form says. The role is
 * never more than both the launch and the present role allow.
 * @throws NamedError "session-over", "members-only"
 */
async function myVisit(deps: MyVisitDeps, request: FormRequest): Promise<MyVisit> {
  const session = await deps.sessions.read(tokenOf(request));
  const { registrationId, courseId, personId } = session;
  const course = await deps.courses.find(courseId);
  const member = await deps.members.find(registrationId, courseId, personId);
  if (course === null || member === null) throw refusal("members-only", { status: 403 });
  const role = session.role === "instructor" ? member.role : "learner";
  if (role === "instructor") setTemplateLocals(request, session, course);
  return { session, course, member: { ...member, role } };
}

/**
 * Who may open a page. anybody: everybody with a full session of the course · member: every member, about themselves ·
 * teaching: members who teach · a capability: staff whose role includes it.
 */
export type Reader = keyof Visits;

export type Visits = { anybody: InstructorVisit; member: MyVisit; teaching: MyVisit } & Record<
  Capability,
  InstructorVisit
>;

/** How to recognise each kind of reader. Each function throws a NamedError for everybody else. */
export const visits: { [Who in Reader]: (deps: MyVisitDeps, request: FormRequest) => Promise<Visits[Who]> } =
  {
    anybody: async (deps, request) => {
      const session = await deps.sessions.read(tokenOf(request));
      const course = await deps.courses.find(session.courseId);
      if (course === null) throw refusal("members-only", { status: 403 });
      if (session.role === "instructor") setTemplateLocals(request, session, course);
      return { session, course };
    },
    member: myVisit,
    teaching: async (deps, request) => {
      const visit = await myVisit(deps, request);
      if (visit.member.role !== "instructor") throw refusal("instructors-only", { status: 403 });
      return visit;
    },
    settings: (deps, request) => instructorVisit(deps, request, "settings"),
    grades: (deps, request) => instructorVisit(deps, request, "grades"),
    corrections: (deps, request) => instructorVisit(deps, request, "corrections"),
  };

type WayBackDeps = Pick<MyVisitDeps, "sessions" | "courses">;

/**
 * If a session is over, or isn't this browser's, the answer offers the way to the course. An address that is requested without proof may
 * still be filled by the page's script, from the tab's history.
 */
export function withWayBack(deps: WayBackDeps, handle: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    try {
      await handle(request, response, next);
    } catch (thrown) {
      const id = sessionAskedFor(request);
      if (!(thrown instanceof NamedError) || ![401, 410].includes(thrown.status) || id === null) throw thrown;
      const known = await deps.sessions.about(id);
      const course = known === null ? null : await deps.courses.find(known.session.courseId);
      response.locals["returnUrl"] = course?.courseUrl ?? null;
      if (request.method === "POST" || known === null) throw thrown;
      if (known.over !== null) throw known.over;
      if (tokenOf(request) !== null) throw thrown;
      // For the page that may replace this one: its recordings are on other sites.
      allowFormsTo(response, ["https:"]);
      throw refusal("not-this-browser", { status: 401 });
    }
  };
}

export type FormSize = Partial<Pick<FormLimits, "maxBytes" | "maxFields" | "readFiles">>;

/** Reads a long form only after the session is proven. */
export function courseForm(deps: WayBackDeps, size: FormSize = {}): RequestHandler {
  return withWayBack(deps, async (request, _response, next) => {
    const prove = (first: string) => deps.sessions.readForEntry(presentedToken(request, first));
    await readFormOf(request, { maxBytes: 64 * 1024, ...size, prove });
    next();
  });
}
