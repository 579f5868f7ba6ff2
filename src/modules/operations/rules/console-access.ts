import { once } from "../../../domain/personal-data.ts";
import { describeRecord, field, index, type ItemOf } from "../../../domain/record.ts";
import { hourMs, minuteMs } from "../../../kernel/clock.ts";
import { ofEach } from "../../../kernel/lists.ts";

/** The most powerful first. A reader sees what an operator sees but changes nothing. An office sees its one report. */
const consoleRoles = ["operator", "reader", "registrar", "adviser"] as const;
export type ConsoleRole = (typeof consoleRoles)[number];
export type ConsoleOffice = Extract<ConsoleRole, "registrar" | "adviser">;

export function officeOf(role: ConsoleRole): ConsoleOffice | null {
  return role === "registrar" || role === "adviser" ? role : null;
}

/** Entries as `readRights` returns them. */
export type ConsoleRights = Readonly<Record<ConsoleRole, readonly string[]>>;

/** What a provider says about a person who logged in there. */
export type ProvenIdentity = {
  /** Lower case. Null if the provider doesn't say that it's theirs. */
  email: string | null;
  groups: readonly string[];
};

const group = "group:";

/** Reads e-mail addresses in lower case, and groups as `group:NAME`. @returns null if an entry is neither. */
function readRights(text: string): string[] | null {
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) =>
      entry.startsWith(group) ? group + entry.slice(group.length).trim() : entry.toLowerCase(),
    );
  const isRight = (entry: string) =>
    entry.startsWith(group) ? entry.length > group.length : /^[^@\s]+@[^@\s]+$/.test(entry);
  return entries.every(isRight) ? entries : null;
}

/** The entry with the most powerful role that names the person, or null. */
export function rightOf(rights: ConsoleRights, { email, groups }: ProvenIdentity): string | null {
  const names = (entry: string) =>
    entry.startsWith(group) ? groups.includes(entry.slice(group.length)) : entry === email;
  return consoleRoles.flatMap((role) => rights[role]).find(names) ?? null;
}

/** What an entry allows now. Null if no list has it any more. */
export function roleOf(rights: ConsoleRights, right: string): ConsoleRole | null {
  return consoleRoles.find((role) => rights[role].includes(right)) ?? null;
}

export function namesGroups(rights: ConsoleRights): boolean {
  return consoleRoles.some((role) => rights[role].some((entry) => entry.startsWith(group)));
}

/** A login to the console. Its id is a digest of the cookie's value. */
export const consoleSessionRecord = describeRecord("ConsoleSession", {
  fields: {
    /** What lets them in: "password", "lms", or an entry of a role's list. */
    right: field.text,
    /** The person's e-mail address at the provider, or their id there. Null with the password, or from an LMS. */
    operator: field.text.orNull,
    /** The LMS administrator's registration, otherwise null. */
    registrationId: field.text.orNull,
    personId: field.text.orNull,
    /** The deployment from which an LMS's administrator came. Null without one, or in sessions of earlier versions. */
    deploymentId: field.text.orNull,
    /** Milliseconds since the epoch. */
    beganAt: field.number,
    /** When the latest request came (ms), to the minute. */
    usedAt: field.number,
    endsAt: field.date,
  },
  indexes: [
    // Only tidies up, because readers compare the time.
    index.expiry("endsAt"),
    index("registrationId", "personId"),
  ],
  personalData: {
    key: "consoleSessions",
    holds:
      "who logged in to the console when: an operator's e-mail address, or our id of an LMS's administrator; a digest of the secret",
    stored: "12 hours after the login at most",
    person: [once],
    names: [{ path: "personId", among: "registration" }],
  },
});
export type ConsoleSessionRow = ItemOf<typeof consoleSessionRecord>;

/** How long after the login a session ends at the latest (ms). */
export const consoleLifetimeMs = 12 * hourMs;
/** Shorter for an LMS's administrators, because theirs is based on one launch. */
export const scopedLifetimeMs = 2 * hourMs;
/** A session ends after this long without a request (ms). */
export const consoleIdleMs = hourMs;
/** `usedAt` is written only if it's this old (ms). */
export const usedIntervalMs = 60_000;

/** Whether its latest end has passed, or it was unused for too long. */
export function isConsoleSessionOver(
  { endsAt, usedAt }: Pick<ConsoleSessionRow, "endsAt" | "usedAt">,
  now: number,
): boolean {
  return endsAt.getTime() <= now || usedAt + consoleIdleMs <= now;
}

/** Recent wrong attempts at a password. */
export type PasswordGuesses = {
  /** Attempts that aren't known to be right. */
  count: number;
  /** No attempts are accepted before this (ms). */
  blockedUntil: number;
  /** From this time on, all of this is forgotten (ms). */
  forgottenAt: number;
};

/** Whether an attempt may be made, and what is then stored. */
type GuessVerdict = { allowed: true; next: PasswordGuesses } | { allowed: false; blockedUntil: number };

/** Attempts are forgotten this long after the latest one, or after the wait that it caused. */
const memoryMs = 15 * minuteMs;
const maxFreeGuesses = 5;
const firstWaitMs = minuteMs / 2;
const maxWaitMs = 15 * minuteMs;

/**
 * Judges an attempt before the comparison and counts it as wrong (a right one clears the count), so a thousand simultaneous attempts get at
 * most five answers. After five, each wrong attempt doubles the wait for everybody: from half a minute to a quarter of an hour.
 * @param known What is stored, or null.
 */
export function judgeGuess(known: PasswordGuesses | null, now: number): GuessVerdict {
  // A wait longer than the longest comes from a clock that was set back.
  const holds = known !== null && known.forgottenAt > now && known.blockedUntil <= now + maxWaitMs;
  const current = holds ? known : { count: 0, blockedUntil: 0 };
  if (current.blockedUntil > now) return { allowed: false, blockedUntil: current.blockedUntil };
  const count = current.count + 1;
  const wait = count < maxFreeGuesses ? 0 : Math.min(maxWaitMs, firstWaitMs * 2 ** (count - maxFreeGuesses));
  return { allowed: true, next: { count, blockedUntil: now + wait, forgottenAt: now + wait + memoryMs } };
}

/**
 * The unit in which attempts are counted: an IPv4 address (also in IPv6 form), or the /64 of an IPv6 address, all of which belongs to its
 * holder.
 * @param address From a socket or a trusted proxy.
 */
export function addressBlock(address: string): string {
  const [plain = ""] = address.toLowerCase().split("%"); // a link-local address names its interface
  const mapped = /^(?:0{0,4}:)*ffff:(\d{1,3}(?:\.\d{1,3}){3})$/.exec(plain);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!plain.includes(":")) return plain;
  const [before = "", rest] = plain.split("::");
  const groups = before === "" ? [] : before.split(":");
  const behind = rest === undefined || rest === "" ? [] : rest.split(":");
  const missing = rest === undefined ? 0 : Math.max(0, 8 - groups.length - behind.length);
  const all = [...groups, ...Array.from({ length: missing }, () => "0"), ...behind];
  const network = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ""));
  return `${network.join(":")}::/64`;
}

export type SecretRule = {
  length: number;
  /** Requires at least this many different characters. Random secrets of this length have more. */
  different: number;
};

/** Passwords from examples, or typed in haste. */
const placeholders =
  /^(?:admin(?:istrator)?|change|classroom|console|default|demo|example|foo|bar|baz|here|insert|it|key|letmein|lti|me|metrics|my|pass|passw(?:or|o)d|passwort|placeholder|please|qwerty|qwertz|random|replace|secret|set|spaces|strong|test|the|this|to|token|value|very|webhooks?|welcome|with|x|your)+$/;

/** A year, or two. */
const maxGuessedDigits = 8;
/** Allowed next to a year or a few digits and marks: "Summer2026!!" is guessed first. */
const firstGuesses =
  /^(?:spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|fr(?:ue|ü)hling|sommer|herbst|januar|februar|m(?:ae|ä)rz|mai|juni|juli|oktober|dezember|school|college|university|hochschule|schule|moodle|canvas|love|hello|iloveyou|football|dragon|monkey)+$/;

/** Why a secret is easily guessed, as the end of a sentence. Null if it has no usual weakness, whether random or not. */
export function weaknessOf(secret: string, rule: SecretRule): string | null {
  if (secret.length < rule.length) return `must have at least ${rule.length} characters`;
  const letters = secret.toLowerCase().replace(/[^a-zäü]/g, "");
  if (letters.length * 2 >= secret.length && placeholders.test(letters))
    return "is a placeholder that others know";
  if (firstGuesses.test(letters) && secret.replace(/\D/g, "").length <= maxGuessedDigits)
    return "is one that everybody tries first: a season, month or common word with a year";
  if (new Set(secret).size < rule.different) return "has too few different characters";
  if (isRepetition(secret) || isSequence(secret)) return "repeats itself";
  return null;
}

function isRepetition(text: string): boolean {
  return (text + text).indexOf(text, 1) <= text.length / 2;
}

/** Characters in sequence, such as 1234567890 or an alphabet. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return new Set(codes.slice(1).map((code, at) => code - (codes[at] ?? 0))).size <= 2;
}

/** `max` at once, `perSecond` in the long run. */
export type Allowance = { max: number; perSecond: number };

/** The state at a moment (ms). */
export type Bucket = { left: number; at: number };

/** An unused bucket is full. A clock that was set back doesn't refill it. */
export function leftOf(bucket: Bucket | undefined, { max, perSecond }: Allowance, now: number): number {
  if (bucket === undefined) return max;
  return Math.min(max, bucket.left + (Math.max(0, now - bucket.at) / 1000) * perSecond);
}

/** A negative amount gives back. The result stays between empty and full. */
export function after(bucket: Bucket | undefined, allowance: Allowance, amount: number, now: number): Bucket {
  const left = leftOf(bucket, allowance, now) - amount;
  return { left: Math.min(allowance.max, Math.max(0, left)), at: Math.max(now, bucket?.at ?? now) };
}

/** Milliseconds until one can be taken again. */
export function waitFor(left: number, { perSecond }: Allowance): number {
  return left >= 1 ? 0 : Math.ceil(((1 - left) / perSecond) * 1000);
}

/** The provider through which operators log in, besides or instead of ADMIN_PASSWORD. */
export type OidcConfig = {
  /** As its tokens name it, with or without a slash at the end. */
  issuer: string;
  clientId: string;
  /** Undefined for a client that only PKCE protects. */
  clientSecret: string | undefined;
  scopes: string;
  /** The claim with the groups of the person who logs in. */
  groupsClaim: string;
  rights: ConsoleRights;
};

const variables = {
  operator: "OIDC_OPERATORS",
  reader: "OIDC_READERS",
  registrar: "OIDC_REGISTRARS",
  adviser: "OIDC_ADVISERS",
} as const satisfies Record<ConsoleRole, string>;

type Given = { [Name in (typeof variables)[ConsoleRole]]?: string | undefined } & {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_GROUPS_CLAIM: string;
  OIDC_SCOPES: string;
};

/** Null without OIDC_ISSUER. @returns `problems`: one line each, without any values. */
export function readOidc(given: Given): { oidc: OidcConfig | null; problems: string[] } {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = given;
  if (issuer === undefined) {
    const named = (["OIDC_CLIENT_ID", ...Object.values(variables)] as const).find(
      (name) => given[name] !== undefined,
    );
    return {
      oidc: null,
      problems: named === undefined ? [] : [`OIDC_ISSUER is missing, and ${named} is set`],
    };
  }
  const read = ofEach(consoleRoles, (role) => readRights(given[variables[role]] ?? ""));
  const odd = consoleRoles.filter((role) => read[role] === null);
  const problems = [
    ...(clientId === undefined ? ["OIDC_CLIENT_ID is missing"] : []),
    ...odd.map(
      (role) => `${variables[role]} must be e-mail addresses and groups (group:NAME), separated by commas`,
    ),
    ...(read.operator?.length === 0 ? ["OIDC_OPERATORS is missing: nobody could change anything"] : []),
  ];
  if (problems.length > 0 || clientId === undefined) return { oidc: null, problems };
  const rights = ofEach(consoleRoles, (role) => read[role] ?? []);
  const { OIDC_CLIENT_SECRET: clientSecret, OIDC_GROUPS_CLAIM: groupsClaim, OIDC_SCOPES: scopes } = given;
  return { oidc: { issuer, clientId, clientSecret, scopes, groupsClaim, rights }, problems };
}
