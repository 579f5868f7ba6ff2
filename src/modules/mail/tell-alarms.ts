import type { App } from "../../app.ts";
import { shortDigest } from "../../kernel/ids.ts";
import { type Alarm, listAlarms, type ListAlarmsDeps } from "../operations/list-alarms.ts";
import { addMails, type AddMailsDeps } from "./mails.ts";
import { alarmUsefulMs } from "./rules/limits.ts";
import type { MailedAlarm, MailKind } from "./rules/records.ts";
import { alarmsToTell } from "./rules/due.ts";

type TellAlarmsDeps = ListAlarmsDeps & AddMailsDeps & Pick<App, "mailedAlarms">;

/**
 * Compares the alarms that are on with those that operators were told of: one mail for each that began, one when it is over. The mail
 * is stored before the alarm counts as told, and the same mail exists once: a process that is killed in between costs nothing.
 * @param to Their addresses.
 */
export async function tellAlarms(deps: TellAlarmsDeps, to: readonly string[]): Promise<void> {
  if (to.length === 0) return;
  const { now, begun, over } = await toTell(deps);
  for (const one of begun) {
    await tell(deps, to, "alarm", one, one.openedAt);
    await deps.mailedAlarms.open(one);
  }
  for (const one of over) {
    await tell(deps, to, "alarm-over", one, one.openedAt);
    await deps.mailedAlarms.end(one.id, now);
  }
}

/** Whether `tellAlarms` has something to tell. */
export async function isAlarmToTell(deps: TellAlarmsDeps, to: readonly string[]): Promise<boolean> {
  if (to.length === 0) return false;
  const { begun, over } = await toTell(deps);
  return begun.length + over.length > 0;
}

async function toTell(deps: TellAlarmsDeps) {
  const now = deps.clock.now();
  const on = (await listAlarms(deps)).map(keptOf(now));
  return { now, ...alarmsToTell(on, await deps.mailedAlarms.list(), now) };
}

async function tell(
  deps: AddMailsDeps,
  to: readonly string[],
  kind: MailKind,
  { id }: MailedAlarm,
  openedAt: number,
): Promise<void> {
  await addMails(
    deps,
    to.map((address) => ({
      ...{ registrationId: null, courseId: null, personId: null, operator: operatorOf(address) },
      ...{ kind, about: alarmMatter(id, openedAt), endsAt: deps.clock.now() + alarmUsefulMs },
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
