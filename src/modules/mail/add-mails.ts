import type { App } from "../../app.ts";
import { shortDigest } from "../../kernel/ids.ts";
import { mailTask } from "./mail-task.ts";
import { maxPerCourseDay } from "./rules/limits.ts";
import type { Mail } from "./rules/records.ts";

export type AddMailsDeps = Pick<App, "mails" | "tasks" | "wake" | "clock" | "logger">;

/** One mail that somebody is to get. */
export type WantedMail = Pick<
  Mail,
  "registrationId" | "courseId" | "personId" | "operator" | "kind" | "about" | "endsAt"
>;

const dayMs = 24 * 3_600_000;

/** Stored, and sent in the background. What is wanted again is the same mail. @param wanted Of one LMS, and of one course or none. */
export async function addMails(deps: AddMailsDeps, wanted: readonly WantedMail[]): Promise<void> {
  const [first] = wanted;
  if (first === undefined) return;
  const now = deps.clock.now();
  const { courseId, registrationId } = first;
  const room =
    courseId === null
      ? wanted.length
      : maxPerCourseDay - (await deps.mails.countOfCourse(courseId, now - dayMs));
  if (room < wanted.length)
    deps.logger.warn({ course: courseId, kind: first.kind }, "a course has too many mails for one day");
  const mails = wanted.slice(0, Math.max(0, room)).map((one): Mail => ({
    ...one,
    id: mailId(one),
    ...{ state: "waiting", createdAt: now, nextAt: now, attempts: 0, reply: null, changedAt: now },
  }));
  await deps.mails.add(mails);
  await deps.tasks.enqueue(mailTask, { registrationId }, { now });
  deps.wake(mailTask);
}

/** The same for the same kind, matter and reader. */
export function mailId({
  kind,
  about,
  personId,
  operator,
}: Pick<Mail, "kind" | "about" | "personId" | "operator">): string {
  return `mail_${shortDigest(JSON.stringify([kind, about, personId, operator]))}`;
}
