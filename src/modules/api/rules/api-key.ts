import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { isDate } from "../../../kernel/text.ts";
import { dayMs } from "../../../kernel/clock.ts";

export const offeredScopes = ["attendance:read", "grades:read", "people:read"] as const;
/** What a key may read. Every key reads courses and sessions, which name nobody. */
export const apiScopes = ["courses:read", ...offeredScopes] as const;
export type ApiScope = (typeof apiScopes)[number];

/** A program's right to read what is stored about one LMS, or about one of its deployments. */
export const apiKeyRecord = describeRecord("ApiKey", {
  fields: {
    registrationId: field.text,
    /** Only reads courses of this deployment. Null: see `readsDeployment`. */
    deploymentId: field.text.orNull,
    /** What it's for, in the words of the person who made it. */
    name: field.text,
    scopes: field.textsOf<readonly ApiScope[]>(),
    /** Digest of the secret half, which is shown once and not stored. */
    digest: field.text,
    createdAt: field.number,
    /** It works before this moment (ms). */
    endsAt: field.number,
    /** When the latest request came (ms), to the minute. */
    usedAt: field.number.orNull,
  },
  indexes: [index("registrationId")],
  personalData: {
    key: "apiKeys",
    holds:
      "what an institution's programs may read, until when, and when they last did; digests of their keys; no person",
    stored: "30 days after its end at most",
    purged: { days: 30, field: "endsAt" },
  },
});
export type ApiKey = ItemOf<typeof apiKeyRecord>;

/** How many keys one LMS can have, including ended ones. */
export const maxKeys = 50;
export const maxNameLength = 80;
const maxDays = 731;

/** The end of the day ("2027-07-31", UTC) on which a key last works (ms). Null if it's no day, past, or too far away. */
export function endOfKey(day: string, now: number): number | null {
  if (!isDate(day)) return null;
  const endsAt = Date.parse(`${day}T00:00:00Z`) + dayMs;
  return endsAt > now && endsAt <= now + maxDays * dayMs ? endsAt : null;
}

/** The two halves of a key as it's sent, or null if it isn't a key. */
export function halvesOf(key: string): { id: string; secret: string } | null {
  const [, id, secret] = /^(\w{1,64})\.([\w-]{20,128})$/.exec(key) ?? [];
  return id === undefined || secret === undefined ? null : { id, secret };
}

/**
 * Whether a key reads courses of a deployment. A key for the whole LMS leaves out deployments that have their own classroom account, because
 * they are other institutions with the same client id.
 * @param separate Deployments that have their own account.
 */
export function readsDeployment(
  key: Pick<ApiKey, "deploymentId">,
  separate: readonly string[],
  deploymentId: string,
): boolean {
  return key.deploymentId === null ? !separate.includes(deploymentId) : key.deploymentId === deploymentId;
}
