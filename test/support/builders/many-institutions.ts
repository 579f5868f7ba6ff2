import type { OpenedStores } from "./open-empty-stores.ts";
import { registrationOf } from "./registration.ts";
import { createSealer, type Sealer } from "../../../src/kernel/sealer.ts";
import type { AccountId } from "../../../src/domain/account.ts";
import { sealPurpose, type StoredAccount } from "../../../src/modules/accounts/rules/account-input.ts";
import { newCourse, launchedCourse } from "./launched-course.ts";
import type { SentScore } from "../../../src/modules/grading/rules/delivery.ts";

const minute = 60_000;
const score: SentScore = { score: 50, maximum: 100, comment: null };

/** What one of many institutions has in the tool. */
export type ManyInstitutions = {
  count: number;
  now: number;
  /** Seals the accounts' secrets. */
  secretKey: string;
  /** Pending scores, for each LMS. */
  scores?: number;
};

/**
 * Institutions, each with an LMS, a classroom account and a course that was opened. The first one's launches all fail, the second one's
 * account is paused, and the third has been unused for a long time.
 */
export async function manyInstitutions(
  { stores }: Pick<OpenedStores, "stores">,
  { count, now, secretKey, scores = 2 }: ManyInstitutions,
): Promise<void> {
  const sealer = createSealer(secretKey, undefined);
  for (let n = 0; n < count; n += 1) {
    const registrationId = `reg_${n}`;
    const accountId = `school-${n}`;
    const name = `Institution ${String(n).padStart(3, "0")}`;
    const paused = n === 1;
    await stores.classroomAccounts.insert(
      sealedAccount(accountId, sealer, { name, createdAt: now, changedAt: now, paused }),
    );
    await stores.registrations.insert(
      registrationOf({
        id: registrationId,
        issuer: `https://lms-${n}.test`,
        name,
        family: n % 3 === 0 ? "canvas" : "moodle",
        environment: accountId,
        createdAt: n,
      }),
    );
    const courseId = `crs_${n}`;
    await stores.courses.record(
      { registrationId, deploymentId: "1", contextId: `ctx-${n}` },
      launchedCourse({ title: `Course ${n}`, label: `C${n}`, lastLaunchAt: now - n * minute }),
      newCourse(courseId),
    );
    const facts = {
      role: "learner",
      testUser: false,
      listName: "lea",
      lastLaunchAt: n === 0 || n === 2 ? now - 40 * 24 * 60 * minute : now - n * minute,
    } as const;
    const key = { registrationId, courseId, personId: `per_${n}` };
    await stores.members.recordLaunch(key, facts, null, `mem_${n}`);
    await stores.webhookArrivals.note(accountId, "current", now - n * minute);
    const lms = { registrationId, issuer: "", clientId: "", code: "token-signature" };
    for (let failed = 0; failed < (n === 0 ? 5 : n % 10 === 4 ? 1 : 0); failed += 1)
      await stores.refusedLaunches.add(lms, {
        at: now - failed * minute,
        references: [`request-${n}-${failed}`],
      });
    const learners = Array.from({ length: n % 5 === 3 ? scores : 0 }, (_none, at) => ({
      personId: `per_${n}_${at}`,
      sub: "sub",
      seen: { regrade: 1, summary: 1 },
      scores: new Map([["attendance", score]]),
      left: false,
    }));
    let made = 0;
    const newId = () => `dlv_${n}_${(made += 1)}`;
    if (learners.length > 0)
      await stores.deliveries.setDesired({ registrationId, courseId }, learners, { now, newId });
  }
}

/** An account as it is stored, with its secrets sealed. */
export function sealedAccount(
  id: AccountId,
  sealer: Pick<Sealer, "seal">,
  change: Partial<StoredAccount> = {},
): StoredAccount {
  return {
    id,
    name: id,
    stage: "production",
    baseUrl: `https://${id}.api.test`,
    appUrl: `https://${id}.app.test`,
    sealedKey: sealer.seal(sealPurpose(id, "key"), `key-of-${id}`),
    sealedWebhookSecrets: [sealer.seal(sealPurpose(id, "webhook-secret"), `secret-of-${id}`)],
    dialect: null,
    callsPerSecond: null,
    analyticsSeconds: null,
    connectionChangedAt: 0,
    webhooksConnectedAt: null,
    paused: false,
    createdAt: 0,
    changedAt: 0,
    revision: 1,
    ...change,
  };
}
