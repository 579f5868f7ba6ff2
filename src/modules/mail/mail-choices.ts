import { z } from "zod";
import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { mailAddressOf, type ReminderMinutes } from "../../domain/mails.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { CourseAuditApp } from "../audit/audit.ts";
import { saveOption } from "../courses/change-settings.ts";
import type { ActiveRegistrationApp } from "../registration/registrations.ts";
import { remindersOfCourse } from "./reminders.ts";
import { type StoppableKind, stoppableKinds } from "./rules/records.ts";
import type { StopKey } from "./store/mail-store.ts";
import { weeklyOfCourse } from "./weekly-mails.ts";

/** Like {@link saveOption}. Applies to sessions from now on. */
export async function saveReminders(
  app: CourseAuditApp & Pick<App, "courses" | "events" | "clock">,
  course: Course,
  personId: string,
  minutes: ReminderMinutes,
  words: (minutes: ReminderMinutes) => string,
): Promise<boolean> {
  if (!(await saveOption(app, course, personId, ["reminders", minutes], words))) return false;
  await app.events.remindAgain(course.id, app.clock.now());
  return true;
}

/** What finding out which mails a person gets needs. */
export type MailKindsApp = ActiveRegistrationApp & { config: Pick<App["config"], "mail"> };

/** What the course sends a member like this one. Empty if the tool sends no mail. */
export async function myMailKinds(
  app: MailKindsApp,
  course: Course,
  { role, student, testUser }: Member,
): Promise<StoppableKind[]> {
  if (app.config.mail === null || testUser || (role === "learner" && !student)) return [];
  const [minutes, { digest, low, limits }] = await Promise.all([
    remindersOfCourse(app, course),
    weeklyOfCourse(app, course),
  ]);
  const isInstructor = role === "instructor";
  return [
    ...(minutes > 0 ? (["reminder"] as const) : []),
    ...(digest && isInstructor ? (["digest"] as const) : []),
    ...((low > 0 || limits) && !isInstructor ? (["low-attendance"] as const) : []),
  ];
}

/** Includes what they have stopped, in this course or another one of their LMS. */
export async function showMyMails(
  app: MailKindsApp & Pick<App, "mailStops" | "people">,
  course: Course,
  member: Member,
) {
  const { registrationId, personId } = member;
  const [kinds, person] = await Promise.all([myMailKinds(app, course, member), app.people.find(personId)]);
  const isStopped = (kind: StoppableKind) => app.mailStops.has({ registrationId, personId, kind });
  return {
    kinds: await Promise.all(kinds.map(async (kind) => ({ kind, isStopped: await isStopped(kind) }))),
    /** False if the LMS gives no address: then nothing is sent, whatever they choose. */
    hasAddress: mailAddressOf(person?.email ?? null) !== null,
  };
}

/** Counts in all courses of their LMS, as the link in a mail does. */
export async function changeMyMails(
  { mailStops, ids, clock }: Pick<App, "mailStops" | "ids" | "clock">,
  { registrationId, personId }: Member,
  kind: StoppableKind,
  wants: boolean,
): Promise<void> {
  const key = { registrationId, personId, kind };
  await (wants ? mailStops.start(key) : mailStops.stop({ id: ids.id("stop"), ...key, at: clock.now() }));
}

const purpose = "mail-stop";
const shape = z.tuple([z.string(), z.enum(stoppableKinds)]);

/** Lets its holder stop one kind of mail for one person, or allow it again, and nothing else. It never expires, because mails are kept forever. */
export function stopToken(
  { sealer }: Pick<App, "sealer">,
  { personId, kind }: Pick<StopKey, "personId" | "kind">,
): string {
  return sealer.seal(purpose, JSON.stringify([personId, kind]));
}

/**
 * What a token stops. The person is looked up, because since the mail their accounts may have been merged, or their LMS registered again.
 * @returns null for a token that isn't ours or was sealed by a key that is gone, and for an erased person
 */
export async function stopKeyOf(app: Pick<App, "people" | "sealer">, token: string): Promise<StopKey | null> {
  const [personId, kind] = readStopToken(app, token) ?? [];
  if (personId === undefined || kind === undefined) return null;
  const person = await app.people.find(personId);
  return person === null ? null : { registrationId: person.registrationId, personId: person.id, kind };
}

function readStopToken({ sealer }: Pick<App, "sealer">, token: string): z.infer<typeof shape> | null {
  if (!/^v1\.[\w-]{40,400}$/.test(token)) return null;
  try {
    return shape.safeParse(JSON.parse(sealer.open(purpose, token))).data ?? null;
  } catch (thrown) {
    if (thrown instanceof NamedError || thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}
