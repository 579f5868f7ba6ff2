import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Receipt } from "../../inbox/rules/receipt.ts";
import { readWebhook, type Webhook } from "../../inbox/rules/webhook.ts";
import { everybodyWithUser } from "../attendance/record-attendance.ts";
import { isOfTheErased } from "./rules/erasure.ts";
import { valuesIn, withoutUsers } from "./shared-steps.ts";

/** What leaving out what the classroom says about erased people needs. */
export type ErasedUsersApp = Pick<App, "people" | "userMatches" | "tombstones" | "clock">;

/** Makes clients hide erased people, because the classroom's cohorts list them forever, and its alerts name them. */
export function hideErasedUsers<Client extends Pick<ClassroomClient, "readCohort" | "readAlert">>(
  app: ErasedUsersApp,
  clientOf: (environment: AccountId) => Client,
): (environment: AccountId) => Client {
  return (environment) => {
    const client = clientOf(environment);
    const readCohort: ClassroomClient["readCohort"] = async (...asked) => {
      const cohort = await client.readCohort(...asked);
      if (cohort === null) return null;
      const lists = [cohort.organizers, cohort.attendees];
      const ids = () => lists.flatMap((list) => (list ?? []).flatMap(({ userId }) => userId ?? []));
      const erased = await erasedUsers(app, environment, ids, null);
      if (erased.length === 0) return cohort;
      const known = (list: typeof cohort.attendees) =>
        list?.filter(({ userId }) => userId === null || !erased.includes(userId)) ?? null;
      return { ...cohort, organizers: known(cohort.organizers), attendees: known(cohort.attendees) };
    };
    const readAlert: ClassroomClient["readAlert"] = async (...asked) => {
      const alert = await client.readAlert(...asked);
      if (alert === null || alert.assigneeId === null) return alert;
      const { assigneeId } = alert;
      const erased = await erasedUsers(app, environment, () => [assigneeId], null);
      return erased.length === 0 ? alert : { ...alert, assigneeId: null };
    };
    return { ...client, readCohort, readAlert };
  };
}

/**
 * What part of a webhook may take effect after an erasure: nothing if it's about an erased person (null). If it only names them, it's stored
 * and returned without their id. Costs nothing while nobody was erased.
 */
export async function redactLate(
  app: ErasedUsersApp & Pick<App, "privacyReceipts">,
  read: { receipt: Receipt; webhook: Webhook },
): Promise<{ receipt: Receipt; webhook: Webhook } | null> {
  const { receipt, webhook } = read;
  const { environment, body } = receipt;
  const erased = await erasedUsers(app, environment, () => textsIn(body), atOf(webhook));
  if (erased.length === 0) return read;
  // Nothing in it has an effect, so all of it may go.
  if (webhook.family === "other" || webhook.family === "unreadable") return null;
  if ("userId" in webhook && erased.includes(webhook.userId)) return null;
  const without = withoutUsers(body, erased);
  await app.privacyReceipts.rewrite(receipt, without);
  return {
    receipt: { ...receipt, body: without },
    webhook: readWebhook(JSON.parse(without), receipt.receivedAt),
  };
}

function atOf(webhook: Webhook): number | null {
  if (webhook.family === "ATTENDANCE") return webhook.observation.at;
  return "at" in webhook ? webhook.at : null;
}

/** No id is longer. A body may also contain long texts. */
const maxIdCharacters = 255;
/** No webhook of the document has more texts. */
const maxRows = 500;

function textsIn(body: string): string[] {
  return [...valuesIn(body)].filter((text) => text.length <= maxIdCharacters).slice(0, maxRows);
}

/**
 * Returns the texts that are ids of erased users who aren't a person here now: nothing about them may be kept. Cheap while no user is erased.
 * @param texts Only called if a person was erased.
 * @param at When the reported thing happened (ms), or null. What was before the erasure is never kept.
 */
async function erasedUsers(
  app: ErasedUsersApp,
  environment: AccountId,
  texts: () => readonly string[],
  at: number | null,
): Promise<string[]> {
  const erased: string[] = [];
  const marks = await app.tombstones.erasedUsers(environment, texts, app.clock.now());
  for (const { userId, registrationId, ...mark } of marks) {
    const people = await everybodyWithUser(app, environment, userId);
    // A person of another LMS wasn't erased there. Attendance checks this, because its course says which LMS it is.
    if (people.some((one) => one.registrationId !== registrationId)) continue;
    if (isOfTheErased(mark, { known: people.length > 0, heldUntil: null, at })) erased.push(userId);
  }
  return erased;
}
