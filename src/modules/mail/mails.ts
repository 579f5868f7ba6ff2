import { z } from "zod";
import type { App } from "../../app.ts";
import { shortDigest } from "../../kernel/ids.ts";
import { refusal } from "../../kernel/refusal.ts";
import { dayMs, minuteMs } from "../../kernel/clock.ts";
import { cursorOf, cursorText } from "../operations/paging.ts";
import { retryPolicies, defineTask, type TaskResult } from "../../tasks/task-kind.ts";
import { runNextTask, type RunTaskDeps } from "../../tasks/run-task.ts";
import type { Mail } from "./rules/records.ts";
import { type MailWords, nextState } from "./rules/sending.ts";
import type { Mailer, SmtpSession } from "./smtp-mailer.ts";
import type { MailFilter, MailStore } from "./store/mail-store.ts";

/** A course can cause at most this many mails a day. The rest isn't sent, and the log says so. */
const maxPerCourseDay = 5_000;
/** How many mails a run of the task sends at most. The next run continues. */
const maxPerRun = 50;

export type MailsApp = Pick<App, "mails" | "tasks" | "wake" | "clock" | "logger">;

const payload = z.object({
  /** Null for operators. */
  registrationId: z.string().nullable(),
});

/** Sends the waiting mails of one LMS, or of operators. There is one task for each, so one process at a time sends them. */
export const mailTask = defineTask({
  name: "mails",
  order: "person-first-in-scope",
  payload,
  facts: z.object({}),
  identityOf: ({ registrationId }) => ({
    key: registrationId ?? "operators",
    scope: registrationId ?? "operators",
    registrationId,
    courseId: null,
  }),
  retry: retryPolicies.mails,
  whileRunning: "again",
});

export type NewMail = Pick<
  Mail,
  "registrationId" | "courseId" | "personId" | "operator" | "kind" | "about" | "endsAt"
>;

/** Stores mails to be sent in the background. Adding one again has no effect. @param added Mails of one LMS, and of at most one course. */
export async function addMails(app: MailsApp, added: readonly NewMail[]): Promise<void> {
  const [first] = added;
  if (first === undefined) return;
  const now = app.clock.now();
  const { courseId, registrationId } = first;
  const room =
    courseId === null
      ? added.length
      : maxPerCourseDay - (await app.mails.countOfCourse(courseId, now - dayMs));
  if (room < added.length)
    app.logger.warn({ course: courseId, kind: first.kind }, "a course has too many mails for one day");
  const mails = added
    .slice(0, Math.max(0, room))
    .map((one): Mail => ({
      ...one,
      id: mailId(one),
      state: "waiting",
      createdAt: now,
      nextAt: now,
      attempts: 0,
      reply: null,
      changedAt: now,
    }));
  await app.mails.add(mails);
  await app.tasks.enqueue(mailTask, { registrationId }, { now });
  app.wake(mailTask);
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

/** Why a mail isn't sent after all. */
export type NotSent = "over" | "no-address" | "gone" | "stopped" | "off";

/** A mail with its address, or why there is nothing to send. */
export type WrittenMail = { to: string; words: MailWords } | NotSent;

type SendingApp = Pick<App, "mails" | "clock" | "logger"> & {
  mailer: Mailer;
  perMinute: number;
  /** Writes it from what is known now, not from when it was added. */
  write: (mail: Mail) => Promise<WrittenMail>;
};

/** Sends the mails of the LMS that has been due longest. @returns false if none is due. */
export function sendNextMails(app: SendingApp & RunTaskDeps): Promise<boolean> {
  return runNextTask(app, mailTask, {
    run: async ({ payload: { registrationId } }, { signal }) => sendMails(app, registrationId, signal),
  });
}

/**
 * Sends one mail after the other, until none is due, the minute is full, or this process is to end. It holds the task's claim, so mails
 * already being sent when it begins were left by a process that was killed, and may have arrived.
 * @throws NamedError "mail-server-unreachable" (temporary): the mails stay as they are.
 */
export async function sendMails(
  app: SendingApp,
  registrationId: string | null,
  ending: AbortSignal,
): Promise<TaskResult<object>> {
  const { mails, clock, logger } = app;
  const left = { state: "unknown", reply: "killed", changedAt: clock.now() } as const;
  const lost = await mails.giveUpSending(registrationId, left);
  if (lost > 0)
    logger.warn({ mails: lost }, "a process ended while mails were sent; they are not sent again");
  const waiting = await mails.listWaiting(registrationId, maxPerRun);
  logger.debug({ mails: waiting.length }, "sending mails");
  const session = app.mailer.open();
  try {
    for (const mail of waiting) {
      ending.throwIfAborted();
      const now = clock.now();
      if (mail.nextAt > now) return { nextAt: mail.nextAt };
      if (!(await sendOne(app, session, mail)))
        return { nextAt: (Math.floor(clock.now() / minuteMs) + 1) * minuteMs };
    }
  } finally {
    session.close();
  }
  return { nextAt: waiting.length === maxPerRun ? clock.now() : null };
}

/** @returns false if the minute is full. */
async function sendOne(app: SendingApp, session: SmtpSession, mail: Mail): Promise<boolean> {
  const { mails, clock } = app;
  const now = clock.now();
  const drop = (state: "failed" | "unneeded", reply: string) =>
    mails.change(mail.id, ["waiting"], { state, reply, changedAt: clock.now() });
  if (mail.endsAt <= now) {
    await drop("failed", "too-late");
    return true;
  }
  let written: WrittenMail;
  try {
    written = await app.write(mail);
  } catch (thrown) {
    app.logger.error({ mail: mail.id, kind: mail.kind, err: thrown }, "a mail could not be written");
    // The others are sent. While the store is unreachable, this fails, too, and the task is retried.
    const notWritten = { outcome: "put-off", reply: "not-written" } as const;
    await mails.change(mail.id, ["waiting"], nextState(mail, notWritten, now));
    return true;
  }
  if (typeof written === "string") {
    await drop("unneeded", written);
    return true;
  }
  if (!(await mails.takeTurn(Math.floor(now / minuteMs), app.perMinute))) return false;
  const outgoing = { ...written, id: mail.id, at: now };
  const answer = await session.send(outgoing, () => mails.begin(mail.id, clock.now()));
  if (answer === null) return true;
  await mails.change(mail.id, ["waiting", "sending", "unknown"], nextState(mail, answer, clock.now()));
  if (answer.outcome !== "unreachable") return true;
  throw refusal("mail-server-unreachable", { temporary: true, values: { reply: answer.reply } });
}

const pageSize = 100;

/** One page of the log of mails, latest first. @param before Where the page before ended. Null for the first page. */
export async function listMails(
  { mails }: { mails: Pick<MailStore, "list"> },
  filter: MailFilter,
  before: string | null,
): Promise<{ mails: Mail[]; olderThan: string | null }> {
  const found = await mails.list(filter, cursorOf(before), pageSize + 1);
  const page = found.slice(0, pageSize);
  const last = page.at(-1);
  const isMore = found.length > pageSize && last !== undefined;
  return { mails: page, olderThan: isMore ? cursorText({ at: last.createdAt, id: last.id }) : null };
}
