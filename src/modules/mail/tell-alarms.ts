import type { App } from "../../app.ts";
import { shortDigest } from "../../kernel/ids.ts";
import { type Alarm, listAlarms, type OverviewApp } from "../operations/list-alarms.ts";
import { addMails, type MailsApp } from "./mails.ts";
import type { MailedAlarm, MailKind } from "./rules/records.ts";
import { alarmsToTell } from "./rules/due.ts";

/** So long after an alarm began its mail says nothing new (ms). */
const alarmUsefulMs = 24 * 3_600_000;

/**
 * Compares the alarms that are on with those that operators were told of: one mail for each that began, one when it is over. The mail
 * is stored before the alarm counts as told, and the same mail exists once: a process that is killed in between costs nothing.
 * @param to Their addresses.
 */
export async function tellAlarms(
  app: OverviewApp & MailsApp & Pick<App, "mailedAlarms">,
  to: readonly string[],
): Promise<void> {
  if (to.length === 0) return;
  const { now, begun, over } = await toTell(app);
  for (const one of begun) {
    await tell(app, to, "alarm", one, one.openedAt);
    await app.mailedAlarms.open(one);
  }
  for (const one of over) {
    await tell(app, to, "alarm-over", one, one.openedAt);
    await app.mailedAlarms.end(one.id, now);
  }
}

/** Whether `tellAlarms` has something to tell. */
export async function isAlarmToTell(
  app: OverviewApp & MailsApp & Pick<App, "mailedAlarms">,
  to: readonly string[],
): Promise<boolean> {
  if (to.length === 0) return false;
  const { begun, over } = await toTell(app);
  return begun.length + over.length > 0;
}

async function toTell(app: OverviewApp & MailsApp & Pick<App, "mailedAlarms">) {
  const now = app.clock.now();
  const on = (await listAlarms(app)).map(keptOf(now));
  return { now, ...alarmsToTell(on, await app.mailedAlarms.list(), now) };
}

async function tell(
  app: MailsApp,
  to: readonly string[],
  kind: MailKind,
  { id }: MailedAlarm,
  openedAt: number,
): Promise<void> {
  await addMails(
    app,
    to.map((address) => ({
      ...{ registrationId: null, courseId: null, personId: null, operator: operatorOf(address) },
      ...{ kind, about: alarmMatter(id, openedAt), endsAt: app.clock.now() + alarmUsefulMs },
    })),
  );
}

/** Which of the configuration's addresses. */
export function operatorOf(address: string): string {
  return shortDigest(address);
}

/** "<alarm>@<began>"; the other way round with `alarmOfMatter`. */
function alarmMatter(id: string, openedAt: number): string {
  return `${id}@${openedAt}`;
}

export function alarmOfMatter(about: string): string {
  return about.slice(0, about.lastIndexOf("@"));
}

const keptOf =
  (now: number) =>
  ({ what, registration, account, message }: Alarm): MailedAlarm => ({
    id: [what, registration?.id ?? "", account ?? ""].join(":"),
    ...{ what, registrationId: registration?.id ?? null, account, name: registration?.name ?? null, message },
    ...{ openedAt: now, endedAt: null },
  });
