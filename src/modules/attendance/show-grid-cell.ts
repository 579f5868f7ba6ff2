import type { App } from "../../app.ts";
import { type CourseSession, unknownSession } from "../scheduling/rules/course-session.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import { fullName } from "../../domain/person-name.ts";
import { registerRow, type RegisterRow } from "./rules/register.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { listSessions, type ListSessionsDeps } from "../scheduling/list-sessions.ts";

export type ShowGridCellDeps = ListSessionsDeps & Pick<App, "attendance" | "members" | "people">;

export type GridCellDetail = {
  person: Person;
  /** Null when they have facts and never were a member. */
  member: Member | null;
  session: CourseSession;
  row: RegisterRow;
  /** Authors of corrections, by person id. */
  names: ReadonlyMap<string, string>;
};

/** @throws NamedError "session-unknown", "learner-unknown" for what is not of the course. */
export async function showGridCell(
  deps: ShowGridCellDeps,
  course: Course,
  { personId, eventId }: { personId: string; eventId: string },
): Promise<GridCellDetail> {
  const { registrationId, id: courseId } = course;
  const [person, member, record, sessions] = await Promise.all([
    deps.people.find(personId),
    deps.members.find(registrationId, courseId, personId),
    deps.attendance.find({ registrationId, courseId, personId, eventId }),
    listSessions(deps, course),
  ]);
  if (person === null || (member === null && record === null)) {
    throw refusal("learner-unknown", { status: 404 });
  }
  const listed = sessions.find((one) => one.eventId === eventId);
  if (listed === undefined && record === null) throw unknownToCourse();
  const session = listed ?? unknownSession(eventId);
  const row = registerRow(session, member, record) ?? rowOfNobody(personId, member, record?.revision ?? 0);
  const said = [...new Set(row.facts.corrections.map(({ by }) => by))];
  const names = (await deps.people.findMany(said)).flatMap((one) => {
    const name = fullName(one);
    return name === null ? [] : [[one.id, name] as const];
  });
  return { person, member, session, row, names: new Map(names) };
}

function unknownToCourse(): NamedError {
  return refusal("session-unknown", { status: 404 });
}

function rowOfNobody(personId: string, member: Member | null, revision: number): RegisterRow {
  return {
    personId,
    sectionIds: member?.sectionIds ?? [],
    remark: member?.active === false ? "left" : "other-section",
    current: null,
    facts: { history: [], corrections: [] },
    revision,
  };
}
