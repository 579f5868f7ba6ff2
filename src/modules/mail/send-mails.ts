import type { App } from "../../app.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type RunTaskDeps, runNextTask } from "../../tasks/run-task.ts";
import type { TaskResult } from "../../tasks/task-kind.ts";
import { mailTask } from "./mail-task.ts";
import { maxPerRun } from "./rules/limits.ts";
import type { MailWords } from "./rules/mail-text.ts";
import { nextState } from "./rules/next-state.ts";
import type { Mail } from "./rules/records.ts";
import type { Mailer, SmtpSession } from "./smtp-mailer.ts";

/** Why a mail is not sent after all. */
export type NotSent = "over" | "no-address" | "gone" | "stopped" | "off";

/** A mail with its address, or why there is nothing to send. */
export type WrittenMail = { to: string; words: MailWords } | NotSent;

export type SendMailsDeps = Pick<App, "mails" | "clock" | "logger"> & {
  mailer: Mailer;
  perMinute: number;
  /** From what is known now, and not from when it was wanted. */
  write: (mail: Mail) => Promise<WrittenMail>;
};

const minuteMs = 60_000;

/** Sends the mails of the LMS due longest. @returns false when none is due. */
export function sendNextMails(deps: SendMailsDeps & RunTaskDeps): Promise<boolean> {
  return runNextTask(deps, mailTask, {
    run: async ({ payload: { registrationId } }, { signal }) => sendMails(deps, registrationId, signal),
  });
}

/**
 * One after the other, until none is due, the minute is full, or this process is to end. Under the task's claim, so what is being sent
 * as it begins was left by a process that was killed: nobody can know whether it arrived.
 * @throws NamedError "mail-server-unreachable" (temporary): the mails stay as they are.
 */
export async function sendMails(
  deps: SendMailsDeps,
  registrationId: string | null,
  ending: AbortSignal,
): Promise<TaskResult<object>> {
  const { mails, clock, logger } = deps;
  const left = { state: "unknown", reply: "killed", changedAt: clock.now() } as const;
  const lost = await mails.giveUpSending(registrationId, left);
  if (lost > 0)
    logger.warn({ mails: lost }, "a process ended while mails were sent; they are not sent again");
  const waiting = await mails.listWaiting(registrationId, maxPerRun);
  logger.debug({ mails: waiting.length }, "sending mails");
  const session = deps.mailer.open();
  try {
    for (const mail of waiting) {
      ending.throwIfAborted();
      const now = clock.now();
      if (mail.nextAt > now) return { nextAt: mail.nextAt };
      if (!(await sendOne(deps, session, mail)))
        return { nextAt: (Math.floor(clock.now() / minuteMs) + 1) * minuteMs };
    }
  } finally {
    session.close();
  }
  return { nextAt: waiting.length === maxPerRun ? clock.now() : null };
}

/** @returns false when the minute is full. */
async function sendOne(deps: SendMailsDeps, session: SmtpSession, mail: Mail): Promise<boolean> {
  const { mails, clock } = deps;
  const now = clock.now();
  const drop = (state: "failed" | "unneeded", reply: string) =>
    mails.change(mail.id, ["waiting"], { state, reply, changedAt: clock.now() });
  if (mail.endsAt <= now) {
    await drop("failed", "too-late");
    return true;
  }
  const written = await deps.write(mail);
  if (typeof written === "string") {
    await drop("unneeded", written);
    return true;
  }
  if (!(await mails.takeTurn(Math.floor(now / minuteMs), deps.perMinute))) return false;
  const outgoing = { ...written, id: mail.id, at: now };
  const answer = await session.send(outgoing, () => mails.begin(mail.id, clock.now()));
  if (answer === null) return true;
  await mails.change(mail.id, ["waiting", "sending", "unknown"], nextState(mail, answer, clock.now()));
  if (answer.outcome !== "unreachable") return true;
  throw refusal("mail-server-unreachable", { temporary: true, values: { reply: answer.reply } });
}
