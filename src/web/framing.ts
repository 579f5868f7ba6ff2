import { AsyncLocalStorage } from "node:async_hooks";
import type { RequestHandler, Response } from "express";
import { frameAncestors } from "../modules/registration/rules/registration.ts";
import type { CourseStore } from "../modules/courses/store/course-store.ts";
import type { KnownLooks } from "../modules/courses/institution.ts";
import type { RegistrationStore } from "../modules/registration/store/registration-store.ts";
import type { Session, SessionOrigin, Sessions } from "./session.ts";
import type { AccountId } from "../domain/account.ts";
import { allowFormsTo } from "./security-headers.ts";
import { capabilitiesOf } from "../lms/products/capabilities-of.ts";

type FramingDeps = {
  registrations: Pick<RegistrationStore, "find">;
  courses: Pick<CourseStore, "find">;
  looks: Pick<KnownLooks, "of">;
  /** Where a form that enters a Space may lead in the end, by account. */
  entryTargetsOf: (account: AccountId) => readonly string[];
};

/** Which LMS may frame a course's page (record 0005), and how its institution has it look. */
export type Framing = {
  /** Before all routes whose pages carry sessions. */
  remember: RequestHandler;
  /** Sessions that name their LMS in the policy of each page they are read or issued for. */
  named: (sessions: Sessions) => Sessions;
  /** The page that is being answered looks as this LMS's institution wants; a session that is read or issued does so by itself. */
  wear: (registrationId: string) => Promise<void>;
};

type FramedSession = Pick<Session, "registrationId" | "courseId" | "framedBy">;

/**
 * Only the LMS of a page's session may frame it; before, the present policy holds. The async context knows the
 * response, so that no route can forget to pass it.
 */
export function createFraming(deps: FramingDeps): Framing {
  const answering = new AsyncLocalStorage<Response>();
  /** The course of an answer's policy: a page that reads a session and issues it again says the same. */
  const named = new WeakMap<Response, string>();
  const wear = async (registrationId: string): Promise<void> => {
    const response = answering.getStore();
    if (response === undefined || response.headersSent) return;
    const brand = await deps.looks.of(registrationId);
    response.locals["brand"] = brand ?? undefined;
  };
  const originOf = async (registrationId: string, courseId: string) => {
    const [registration, course] = await Promise.all([
      deps.registrations.find(registrationId),
      deps.courses.find(courseId),
    ]);
    return { registration, course };
  };
  const name = async (session: FramedSession, known?: SessionOrigin): Promise<void> => {
    const response = answering.getStore();
    const { registrationId, courseId, framedBy = null } = session;
    const page = `${registrationId} ${courseId} ${framedBy ?? ""}`;
    if (response === undefined || response.headersSent || named.get(response) === page) return;
    const [{ registration, course }] = await Promise.all([
      known ?? originOf(registrationId, courseId),
      wear(registrationId),
    ]);
    if (registration === null || course === null) return;
    const origins = frameAncestors(capabilitiesOf(registration), registration, course, framedBy);
    named.set(response, page);
    if (origins !== null) setFrameAncestors(response, origins);
    allowFormsTo(response, deps.entryTargetsOf(course.environment));
  };
  const naming =
    (read: Sessions["read"]): Sessions["read"] =>
    async (token) => {
      const session = await read(token);
      await name(session);
      return session;
    };
  return {
    wear,
    remember: (_request, response, next) => {
      answering.run(response, next);
    },
    named: (sessions) => ({
      ...sessions,
      issue: async (session, known) => {
        await name(session, known);
        return sessions.issue(session);
      },
      read: naming(sessions.read),
      readForEntry: naming(sessions.readForEntry),
      about: async (id) => {
        const known = await sessions.about(id);
        if (known !== null) await name(known.session);
        return known;
      },
    }),
  };
}

export function forbidFrames(response: Pick<Response, "get" | "set" | "headersSent">): void {
  setFrameAncestors(response, ["'none'"]);
}

/** Changes only this part of the policy. */
function setFrameAncestors(
  response: Pick<Response, "get" | "set" | "headersSent">,
  sources: readonly string[],
): void {
  const policy = response.get("Content-Security-Policy");
  if (policy === undefined || response.headersSent) return;
  const said = `frame-ancestors ${sources.join(" ")}`;
  response.set(
    "Content-Security-Policy",
    policy.replace(/frame-ancestors [^;]*/, () => said),
  );
}
