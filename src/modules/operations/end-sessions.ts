import type { App } from "../../app.ts";
import { userIdsOf } from "../../domain/api-user.ts";
import { courseName } from "../courses/rules/course-name.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { SessionsOf } from "../../storage/browser-session-store.ts";
import { findPerson, type FindPersonDeps, searchPeople } from "../privacy/find-person.ts";
import { knownRegistration } from "../registration/registrations.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type EndSessionsDeps = AuditDeps &
  FindPersonDeps &
  Pick<App, "browserSessions" | "registrations" | "courses" | "clock">;

export function countSessions(
  deps: Pick<EndSessionsDeps, "browserSessions" | "clock">,
  of: SessionsOf,
): Promise<number> {
  return deps.browserSessions.countLive(of, deps.clock.now());
}

/** @throws NamedError "no-such-registration" */
export async function endSessionsOfLms(deps: EndSessionsDeps, registrationId: string): Promise<void> {
  const { name } = await knownRegistration(deps.registrations, registrationId);
  await endSessions(deps, { registrationId }, name);
}

/** @throws NamedError "no-such-course" */
export async function endSessionsOfCourse(deps: EndSessionsDeps, courseId: string): Promise<void> {
  const course = await deps.courses.find(courseId);
  if (course === null) throw refusal("no-such-course", { status: 404 });
  await endSessions(deps, { registrationId: course.registrationId, courseId }, courseName(course));
}

/** @throws NamedError "no-such-person" */
export async function endSessionsOfPerson(deps: EndSessionsDeps, personId: string): Promise<void> {
  const { registrationId } = await findPerson(deps, { personId });
  await endSessions(deps, { registrationId, personIds: [personId] }, personId);
}

/** By the user id in an LMS or in the classroom, in all of its deployments. @throws NamedError "no-such-person" */
export async function endSessionsOfUser(
  deps: EndSessionsDeps,
  registrationId: string,
  userId: string,
): Promise<void> {
  const typed = userId.trim();
  const found = await searchPeople(deps, registrationId, typed);
  const named = found.filter((person) => person.sub === typed || userIdsOf(person).includes(typed));
  if (named.length === 0) throw refusal("no-such-person", { status: 404 });
  for (const { id } of named) await endSessions(deps, { registrationId, personIds: [id] }, id);
}

async function endSessions(deps: EndSessionsDeps, of: SessionsOf, on: string): Promise<void> {
  await deps.browserSessions.endAll(of, deps.clock.now(), "by-administrator");
  await writeAudit(deps, { what: "sessions-ended", registrationId: of.registrationId, on });
}
