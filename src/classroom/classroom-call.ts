import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { busy, type FailedCall, refused, unauthorized, unreachable } from "./classroom-errors.ts";
import type { Dialect, OperationName, RouteDialect } from "./dialect.ts";
import { fillRoute, type TemplateValues } from "./fill-template.ts";
import { type SendOutcome, sendOnce } from "./send-once.ts";
import type { Throttle } from "./throttle.ts";
import type { Priority } from "./waiting-line.ts";

/** How one call is to be made. */
export type CallManner = {
  priority: Priority;
  signal?: AbortSignal | undefined;
  /** Called each time the throttle has let a request of this call through. */
  onPermit?: (() => void) | undefined;
  /** What is being done, in words: "creating a Space". */
  doing: string;
  /**
   * A "creation" is not made again when it is not known what became of it. An "entry" and a "reading" may be
   * repeated; a reading of something that is not there gives null.
   */
  kind: "creation" | "entry" | "reading";
};

type Answer = Extract<SendOutcome, { kind: "answer" }>;

/** Makes a call by the dialect; null when every address answered 404. */
export type ClassroomCall = (
  operation: OperationName,
  values: TemplateValues,
  manner: CallManner,
) => Promise<{ reply: unknown } | null>;

/** So often a repeatable call is made before it counts as failed. */
const attempts = 4;
/** A Retry-After longer than this is not waited for by everybody. */
const longestPause = 60_000;
/** A service that answers 429 means at least this, even with Retry-After: 0. */
const shortestPause = 250;

/**
 * The one way to the service: throttle, time-out, 429 and 5xx, and the documented alternatives of an address.
 * @param deps.patienceMs How long a call goes on being tried after its first answer.
 */
export function createClassroomCall(deps: {
  environment: { name: string; baseUrl: string; apiKey: string };
  dialect: Dialect;
  throttle: Throttle;
  fetch: typeof fetch;
  clock: Clock;
  logger: Logger;
  timeoutMs: number;
  patienceMs: number;
}): ClassroomCall {
  const { environment, dialect, throttle, clock, logger } = deps;
  const { header, scheme } = dialect.apiKey;
  const key = scheme === "" ? environment.apiKey : `${scheme} ${environment.apiKey}`;
  const keyHeader = { [header]: headerValue(key) };
  const worked = new Map<OperationName, RouteDialect>();

  async function attempt(
    route: RouteDialect,
    values: TemplateValues,
    manner: CallManner,
  ): Promise<SendOutcome> {
    const request = fillRoute(environment.baseUrl, route, values);
    const permit = await throttle.acquire(manner);
    manner.onPermit?.();
    const type = request.body === null ? {} : { "content-type": "application/json" };
    const headers = { accept: "application/json", ...type, ...keyHeader };
    return sendOnce(deps, { ...request, headers }, permit.answered, manner.signal);
  }

  /** Goes on after 429, and after failures when that is safe, until there is an answer or patience ends. */
  async function insist(
    route: RouteDialect,
    values: TemplateValues,
    manner: CallManner,
    call: FailedCall,
  ): Promise<Answer> {
    let giveUpAt = Infinity;
    for (let tried = 1; ; tried += 1) {
      const outcome = await attempt(route, values, manner);
      giveUpAt = Math.min(giveUpAt, clock.now() + deps.patienceMs);
      const verdict = judge(outcome, manner, call, { tried, timeLeft: giveUpAt - clock.now() });
      if (verdict.kind === "answer") return verdict.answer;
      if (verdict.kind === "give-up") throw verdict.error;
      logger.warn({ ...call, ...verdict, tried }, "a classroom call is tried again");
      // After a 429 everybody stands still, and the throttle holds the next attempt back.
      if (verdict.kind === "slow-down") throttle.pause(verdict.ms);
      else await clock.sleep(verdict.ms, manner.signal);
    }
  }

  /** The address that worked before, or each documented one until one is there. */
  async function findAddress(
    operation: OperationName,
    values: TemplateValues,
    manner: CallManner,
    call: FailedCall,
  ): Promise<Answer> {
    const { routes } = dialect.operations[operation];
    const known = worked.get(operation);
    let missing: Answer | null = null;
    for (const route of known === undefined ? routes : [known, ...routes.filter((each) => each !== known)]) {
      const answer = await insist(route, values, manner, call);
      if (answer.status !== 404 && answer.status !== 405) {
        if (route !== known && isSuccess(answer)) {
          worked.set(operation, route);
          logger.debug({ ...call, method: route.method, path: route.path }, "classroom address found");
        }
        return answer;
      }
      if (missing?.status !== 404) missing = answer;
      // An address that worked before is still right: it is what was asked for that is not there.
      if (route === known && answer.status === 404) break;
    }
    if (missing === null) throw new Error(`the dialect has no address for ${operation}`);
    return missing;
  }

  return async (operation, values, manner) => {
    const call = { operation, doing: manner.doing, environment: environment.name };
    const answer = await findAddress(operation, values, manner, call);
    if (isSuccess(answer)) return { reply: answer.reply };
    if (answer.status === 404 && manner.kind === "reading") return null;
    if (answer.status === 401 || answer.status === 403) throw unauthorized(call, answer.status);
    throw refused(call, answer.status, answer.reply);
  };
}

type Verdict =
  | { kind: "answer"; answer: Answer }
  | { kind: "slow-down" | "again"; reason: string; ms: number }
  | { kind: "give-up"; error: NamedError };

type Progress = { tried: number; timeLeft: number };

/** What an outcome means for the call: done, wait, try again or give up. */
function judge(outcome: SendOutcome, manner: CallManner, call: FailedCall, so: Progress): Verdict {
  if (outcome.kind === "failure") return afterFailure(outcome, 0, manner, call, so);
  const { status, retryAfterMs } = outcome;
  if (status === 429) {
    const ms = Math.min(Math.max(retryAfterMs ?? 2 * backOff(so.tried), shortestPause), longestPause);
    if (ms > so.timeLeft) return { kind: "give-up", error: busy(call, ms) };
    return { kind: "slow-down", reason: "status 429", ms };
  }
  if (status < 500) return { kind: "answer", answer: outcome };
  return afterFailure({ reason: `status ${status}`, neverSent: false }, retryAfterMs ?? 0, manner, call, so);
}

function afterFailure(
  failure: { reason: string; neverSent: boolean },
  atLeastMs: number,
  manner: CallManner,
  call: FailedCall,
  so: Progress,
): Verdict {
  const ms = Math.max(backOff(so.tried), atLeastMs);
  const mayRepeat = manner.kind !== "creation" || failure.neverSent;
  if (mayRepeat && so.tried < attempts && ms <= so.timeLeft)
    return { kind: "again", reason: failure.reason, ms };
  return { kind: "give-up", error: unreachable(call, failure.reason, !mayRepeat) };
}

/** Milliseconds before the next attempt: half a second, then twice as long each time, at most 16 s. */
function backOff(tried: number): number {
  return 250 * 2 ** Math.min(tried, 6);
}

function isSuccess(answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** @throws NamedError "classroom-key-unusable" before fetch would quote the key in its own error. */
function headerValue(key: string): string {
  if (/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(key)) return key;
  throw new NamedError(
    "classroom-key-unusable",
    "CLASSROOM_API_KEY contains characters that no header can carry, such as a line break. Set it again.",
  );
}
