import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { mailAddressOf } from "../../domain/mails.ts";
import type { StoppableKind } from "./rules/records.ts";
import { remindersOfCourse } from "./send-reminders.ts";
import { weeklyOfCourse } from "./send-weekly-mails.ts";

export type MyMailKindsDeps = Pick<App, "institutionDefaults" | "registrations"> & {
  config: Pick<App["config"], "mail">;
};
export type MyMailsDeps = MyMailKindsDeps & Pick<App, "mailStops" | "people">;

export type MyMails = {
  kinds: { kind: StoppableKind; isStopped: boolean }[];
  /** False where the LMS names none: then nothing is sent, whatever they choose. */
  hasAddress: boolean;
};

/** What the course sends somebody like this member; nothing where the tool sends no mail. */
export async function myMailKinds(
  deps: MyMailKindsDeps,
  course: Course,
  { role, student, testUser }: Member,
): Promise<StoppableKind[]> {
  if (deps.config.mail === null || testUser || (role === "learner" && !student)) return [];
  const [minutes, { digest, low }] = await Promise.all([
    remindersOfCourse(deps, course),
    weeklyOfCourse(deps, course),
  ]);
  const isInstructor = role === "instructor";
  return [
    ...(minutes > 0 ? (["reminder"] as const) : []),
    ...(digest && isInstructor ? (["digest"] as const) : []),
    ...(low > 0 && !isInstructor ? (["low-attendance"] as const) : []),
  ];
}

/** With what they have stopped, in this course or another one of their LMS. */
export async function showMyMails(deps: MyMailsDeps, course: Course, member: Member): Promise<MyMails> {
  const { registrationId, personId } = member;
  const [kinds, person] = await Promise.all([myMailKinds(deps, course, member), deps.people.find(personId)]);
  const isStopped = (kind: StoppableKind) => deps.mailStops.has({ registrationId, personId, kind });
  return {
    kinds: await Promise.all(kinds.map(async (kind) => ({ kind, isStopped: await isStopped(kind) }))),
    hasAddress: mailAddressOf(person?.email ?? null) !== null,
  };
}

/** Holds in all courses of their LMS, as a mail's own link does. */
export async function changeMyMails(
  { mailStops, ids, clock }: Pick<App, "mailStops" | "ids" | "clock">,
  { registrationId, personId }: Member,
  kind: StoppableKind,
  wanted: boolean,
): Promise<void> {
  const key = { registrationId, personId, kind };
  await (wanted ? mailStops.start(key) : mailStops.stop({ id: ids.id("stop"), ...key, at: clock.now() }));
}
