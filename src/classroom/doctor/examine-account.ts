import { settingOf } from "../../domain/account.ts";
import { joinUrl } from "../../domain/join-settings.ts";
import { defaultJoinSettings } from "../../settings/options.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { Budgets } from "../budgets.ts";
import type { ClassroomClient, NewClassroomSpace } from "../client.ts";
import type { Dialect } from "../dialect.ts";
import type { OperationBasis } from "../known-addresses.ts";
import type { OpenExchange } from "../exchange.ts";
import type { Permit } from "../permits.ts";
import { isWebPage } from "../read-reply.ts";
import { sendOnce, type SendOutcome } from "../send-route.ts";
import { createAsk, examineKey, within } from "./examine-key.ts";
import { advice, failureInWords, type Finding, finding, recordReplies, seen } from "./finding.ts";

export type Made = {
  /** The id of a host. */
  userId: string | null;
  participantUserId: string | null;
  spaceId: string | null;
};

export type AccountReport = Awaited<ReturnType<typeof examineAccount>>;

export type ExaminedAccount = {
  name: string;
  baseUrl: string;
  appUrl: string;
  apiKey: string;
  webhookSecrets: readonly string[];
};

/** The longest times for one request, and for a whole examination (ms). */
const timeoutsMs = { request: 8_000, all: 90_000 };

/**
 * Makes six checks: address, key, user, Space, authorize and webhook. Creates something only with `create`; otherwise it judges the
 * user, Space and authorize calls by when the service last answered them. Never throws because of anything the service does.
 */
export async function examineAccount(deps: {
  environment: ExaminedAccount;
  dialect: Dialect;
  budgets: Budgets;
  open: OpenExchange;
  clock: Clock;
  ids: Ids;
  /** Makes the client of the tool's own calls, with other exchanges. */
  clientOver: (open: OpenExchange) => ClassroomClient;
  /** What we remember about each operation. */
  bases: () => Promise<readonly OperationBasis[]>;
  create: boolean;
  /** A Space to use instead of making one. */
  spaceId: string | null;
  timeoutMs?: number;
}) {
  const { environment, clock } = deps;
  const { name, baseUrl, appUrl, apiKey, webhookSecrets } = environment;
  const timeoutMs = deps.timeoutMs ?? timeoutsMs.request;
  const replies = recordReplies(deps.open, [apiKey, ...webhookSecrets]);
  const app = examineApp({ ...deps, timeoutMs }, appUrl);
  const findings: Finding[] = [];
  const made = await within(clock, timeoutsMs.all, async (signal) => {
    const recorded = { ...deps, open: replies.open, timeoutMs, signal };
    const note = (...found: Finding[]) => void findings.push(...found);
    try {
      return await examineCalls({ ...recorded, replies, note });
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
      const { what, todo } = failureInWords("out of time", baseUrl);
      note(finding("wrong", "address", what, { todo }));
      return null;
    }
  });
  findings.push(await app, webhookSecret(webhookSecrets.length));
  return { environment: name, baseUrl, appUrl, findings, made };
}

type NamedSpace = Pick<NewClassroomSpace, "name" | "access" | "waitingRoom">;

type Calls = Parameters<typeof examineAccount>[0] & {
  timeoutMs: number;
  signal: AbortSignal;
  replies: ReturnType<typeof recordReplies>;
  note: (...found: Finding[]) => void;
};

async function examineCalls(deps: Calls): Promise<Made | null> {
  const { environment, clock, replies, note } = deps;
  const ask = createAsk(deps);
  const began = clock.now();
  const answer = await ask({ withoutKey: true });
  const trouble = troubleWith(environment, answer);
  note(
    trouble === null
      ? reached(environment.baseUrl, clock.now() - began, replies.latest())
      : finding("wrong", "address", trouble.what, { todo: trouble.todo, reply: replies.latest() }),
  );
  if (trouble !== null) return null;
  const key = await examineKey({ ...deps, ask, latest: replies.latest });
  note(key.found);
  if (key.found.level === "wrong") return null;
  if (deps.create) return tryByCreating(deps);
  note(...lastAnswers(await deps.bases()));
  return null;
}

/** Why no API seems to answer at the address; null if one does. */
function troubleWith({ name, baseUrl }: ExaminedAccount, answer: SendOutcome) {
  if (answer.kind === "failure") return failureInWords(answer.reason, baseUrl);
  const { status, reply, location } = answer;
  const address = { address: baseUrl };
  if (status === 429) return { what: seen("limited-there", address), todo: advice("other-user") };
  if (status >= 500)
    return { what: seen("fails-there", { ...address, status }), todo: advice("again-then-support") };
  if (status >= 300 && status < 400) {
    const origin = URL.parse(location ?? "")?.origin;
    const what = origin === undefined ? seen("redirects") : seen("redirects-to", { origin });
    return { what, todo: advice("set-base-url", { setting: settingOf(name, "BASE_URL") }) };
  }
  return status < 300 && isWebPage(reply)
    ? { what: seen("page-there", address), todo: advice("not-the-api") }
    : null;
}

function reached(baseUrl: string, ms: number, reply: string | null): Finding {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === "https:") return finding("fine", "address", seen("over-https", { ms }), { reply });
  if (isThisMachine(hostname)) return finding("fine", "address", seen("on-this-machine", { ms }), { reply });
  return finding("wrong", "address", seen("over-http", { ms }), { todo: advice("use-https"), reply });
}

function isThisMachine(hostname: string): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(hostname);
}

const entryOperations = { user: "createApiUser", space: "createSpace", authorize: "authorize" } as const;

/** Without creating anything: when the service last answered the calls that an entry makes. */
function lastAnswers(bases: readonly OperationBasis[]): Finding[] {
  return Object.entries(entryOperations).map(([about, operation]) => {
    const known = bases.find((one) => one.operation === operation);
    if (known?.answeredAt == null)
      return finding("note", about, seen("not-used"), { todo: advice("create-uses-it") });
    const day = new Date(known.answeredAt).toISOString().slice(0, 10);
    return finding("fine", about, seen("last-answered", { way: known.way, day }));
  });
}

/** Runs a check that makes something. A NamedError becomes a finding, with the latest reply. */
type Check = <T>(about: string, work: () => Promise<T>, inWords: (made: T) => string) => Promise<T | null>;

function createCheck({ replies, note, signal }: Calls): Check {
  return async (about, work, inWords) => {
    replies.forget();
    try {
      const made = await work();
      note(finding("fine", about, inWords(made), { reply: replies.latest() }));
      return made;
    } catch (thrown) {
      if (!(thrown instanceof NamedError) || signal.aborted) throw thrown;
      note(finding("wrong", about, thrown.message, { reply: replies.latest() }));
      return null;
    }
  };
}

/**
 * Creates a user for each role, a Space (unless one is given) and a login, as an entry does. Names begin with "spaces-lti doctor", because
 * the interface can't delete users and Spaces.
 */
async function tryByCreating(deps: Calls): Promise<Made> {
  const client = deps.clientOver(deps.replies.open);
  const options = { priority: "instructor", signal: deps.signal, attempts: 2 } as const;
  const check = createCheck(deps);
  const reference = deps.ids.id("spaces-lti-doctor");
  const makeUser = async (role: "host" | "participant", email: string | null) => {
    const named = { name: "spaces-lti doctor", givenName: "spaces-lti", familyName: "doctor" };
    const user = { ...named, reference: `${reference}-${role}`, role, email };
    const make = () => client.createApiUser(user, options);
    return (await check("user", make, ({ userId }) => `A ${role} is made: ${userId}.`))?.userId ?? null;
  };

  // The host has no e-mail address, since an LMS may withhold it. Nobody has an address in the other's domain (RFC 2606).
  const userId = await makeUser("host", null);
  const participantUserId = deps.dialect.usersHaveRoles
    ? await makeUser("participant", `${reference}@doctor.invalid`)
    : null;
  const people = {
    ownerUserId: userId,
    hostUserIds: [userId ?? []].flat(),
    participantUserIds: [participantUserId ?? []].flat(),
  };
  const spaceId =
    deps.spaceId ??
    (await makeSpace(deps, check, (space) => client.createSpace({ ...space, ...people }, options)));
  if (userId !== null && spaceId !== null) {
    const where = { appUrl: deps.environment.appUrl, spaceId, settings: defaultJoinSettings };
    const redirectUrl = joinUrl({ ...where, role: "host", locale: null, mobile: false });
    const login = () => client.authorize({ userId, redirectUrl }, options);
    await check("authorize", login, ({ url }) => `A login leads to ${new URL(url).origin}.`);
  }
  return { userId, participantUserId, spaceId };
}

async function makeSpace(
  { environment, clock, note }: Calls,
  check: Check,
  make: (space: NamedSpace) => ReturnType<ClassroomClient["createSpace"]>,
): Promise<string | null> {
  const name = `spaces-lti doctor ${new Date(clock.now()).toISOString().slice(0, 16)}`;
  const made = await check(
    "space",
    () => make({ name, access: "Public", waitingRoom: false }),
    ({ spaceId }) => `A Space is made: ${spaceId}.`,
  );
  if (made?.elsewhere != null) note(spaceElsewhere(environment, made.elsewhere));
  return made?.spaceId ?? null;
}

function spaceElsewhere({ name }: ExaminedAccount, origin: string): Finding {
  const message = `The service says that the Space is at ${origin}, which is not ${settingOf(name, "APP_URL")}: such Spaces are kept, and nobody is let in.`;
  const todo = `Correct that address, or, if the service says that this origin is its own, write ${JSON.stringify({ knownSpaceOrigins: [origin] })} into the dialect file.`;
  return finding("wrong", "space", message, { todo });
}

function webhookSecret(count: number): Finding {
  return finding("fine", "webhook", seen(count > 1 ? "secrets-set" : "secret-set"));
}

type AskPage = { open: OpenExchange; clock: Clock; timeoutMs: number };

/** Whether the web application that serves Spaces answers. */
export async function examineApp(deps: AskPage, appUrl: string): Promise<Finding> {
  const answer = await askPage(deps, appUrl);
  if (answer.kind === "failure") {
    const { what, todo } = failureInWords(answer.reason, appUrl);
    return finding("wrong", "space", what, { todo });
  }
  if (answer.status >= 500)
    return finding("wrong", "space", seen("app-fails", { address: appUrl, status: answer.status }), {
      todo: advice("check-app-address"),
    });
  return finding("fine", "space", seen("app-answers", { address: appUrl }));
}

/** Whether PUBLIC_URL reaches this tool, as browsers, the LMS and the classroom's webhooks need it. */
export async function examinePublicUrl(deps: AskPage, publicUrl: string): Promise<Finding[]> {
  const { protocol, hostname } = new URL(publicUrl);
  const level = isThisMachine(hostname) ? "note" : "wrong";
  const plain =
    protocol === "https:"
      ? []
      : [finding(level, "webhook", seen("plain-http"), { todo: advice("need-https") })];
  const answer = await askPage(deps, `${publicUrl}/healthz`);
  if (answer.kind === "failure") {
    const { what } = failureInWords(answer.reason, publicUrl);
    return [...plain, finding("wrong", "webhook", what, { todo: advice("start-tool") })];
  }
  const { status, reply } = answer;
  if (status === 200 && typeof reply === "object" && reply !== null && "alive" in reply)
    return [...plain, finding("fine", "webhook", seen("leads-here", { address: publicUrl }))];
  const what = seen("not-this-tool", { address: publicUrl, status });
  return [...plain, finding("wrong", "webhook", what, { todo: advice("check-public-url") })];
}

/** Web pages and our own address don't count for the limit. */
const noLimit: Permit = { begin: () => Promise.resolve(), left: () => undefined, answered: () => undefined };

function askPage(deps: AskPage, url: string) {
  const request = { method: "GET", url, body: null, headers: { accept: "application/json, text/html" } };
  return sendOnce(deps, request, noLimit, undefined);
}
