import { dayMs } from "../../kernel/clock.ts";
import type { App } from "../../app.ts";
import { shortDigest } from "../../kernel/ids.ts";
import { type Alarm, listAlarms, type OverviewApp } from "../operations/list-alarms.ts";
import { addMails, type MailsApp } from "./mails.ts";
import type { MailedAlarm, MailKind } from "./rules/records.ts";
import { alarmsToTell } from "./rules/due.ts";

type TellingApp = OverviewApp & MailsApp & Pick<App, "mailedAlarms">;

/** An alarm's mail is useful for this long (ms). */
const alarmUsefulMs = dayMs;

/**
 * Compares the alarms that are on with those that operators were told about: one mail for each alarm that began, and one when it's over. An
 * alarm is stored before its mail, whose text is read from it. A process may be killed between the two, so mails of recent alarms are added
 * again; the same mail exists once.
 * @param to The operators' addresses.
 */
export async function tellAlarms(app: TellingApp, to: readonly string[]): Promise<void> {
  if (to.length === 0) return;
  const { now, begun, recent, over } = await toTell(app);
  for (const one of begun) await app.mailedAlarms.open(one);
  for (const one of [...begun, ...recent]) await tell(app, to, "alarm", one);
  for (const one of over) {
    await tell(app, to, "alarm-over", one);
    await app.mailedAlarms.end(one.id, now);
  }
}

/** Whether `tellAlarms` has something to tell. */
export async function isAlarmToTell(app: TellingApp, to: readonly string[]): Promise<boolean> {
  if (to.length === 0) return false;
  const { begun, over } = await toTell(app);
  return begun.length + over.length > 0;
}

async function toTell(app: TellingApp) {
  const now = app.clock.now();
  const on = (await listAlarms(app)).map(mailedAlarmOf(now));
  return { now, ...alarmsToTell(on, await app.mailedAlarms.list(), now) };
}

async function tell(app: MailsApp, to: readonly string[], kind: MailKind, { id, openedAt }: MailedAlarm) {
  await addMails(
    app,
    to.map((address) => ({
      registrationId: null,
      courseId: null,
      personId: null,
      operator: operatorOf(address),
      // "<alarm>@<began>", which `alarmOfMatter` reads.
      kind,
      about: `${id}@${openedAt}`,
      endsAt: app.clock.now() + alarmUsefulMs,
    })),
  );
}

/** Identifies one of the configuration's addresses. */
export function operatorOf(address: string): string {
  return shortDigest(address);
}

/** The alarm that a mail is about. */
export function alarmOfMatter(about: string): string {
  return about.slice(0, about.lastIndexOf("@"));
}

const mailedAlarmOf =
  (now: number) =>
  ({ what, registration, account, message, coded }: Alarm): MailedAlarm => ({
    id: [what, registration?.id ?? "", account ?? ""].join(":"),
    what,
    registrationId: registration?.id ?? null,
    account,
    name: registration?.name ?? null,
    message,
    coded,
    openedAt: now,
    endedAt: null,
  });
