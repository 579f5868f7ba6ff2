import type { Clock } from "../kernel/clock.ts";
import type { NamedError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { nextLink } from "../kernel/outside-reply.ts";
import type { Budgets } from "./budgets.ts";
import {
  busy,
  type FailedCall,
  refused,
  type ShapeRefusal,
  unauthorized,
  unreachable,
} from "./classroom-errors.ts";
import type { BackgroundRest } from "./background-rest.ts";
import type { Dialect, OperationName, RouteDialect } from "./dialect.ts";
import type { TemplateValues } from "./fill-template.ts";
import type { OpenExchange } from "./exchange.ts";
import { addressOf, type AddressStore, createKnownAddresses, routeInWords } from "./known-addresses.ts";
import { idFromLocation, isWebPage, shapeOf } from "./read-reply.ts";
import type { PageAsk } from "./page-ask.ts";
import { createSendRoute, type SendOutcome } from "./send-route.ts";
import type { Priority } from "./permits.ts";
import { defaultAttempts, maxPauseMs } from "./limits.ts";

export type CallRequest = {
  priority: Priority;
  signal?: AbortSignal | undefined;
  attempts?: number;
  /** As in `CallOptions`. */
  onWait?: (() => void | Promise<void>) | undefined;
  /** As in `CallOptions`. */
  onPermit?: (() => void | Promise<void>) | undefined;
  /** What the call does, in words: "creating a Space". */
  doing: string;
  /** If the outcome is unknown, only a "creation" isn't repeated. A "reading" of something that doesn't exist returns null. */
  kind: "creation" | "entry" | "reading";
  /** Which page of a list to read; the first page when left out. */
  page?: PageAsk | null;
};

type Answer = Extract<SendOutcome, { kind: "answer" }>;

/** Makes a call as the dialect says. Returns null when the thing to read doesn't exist. */
export type ClassroomCall = (
  operation: OperationName,
  values: TemplateValues,
  request: CallRequest,
) => Promise<{
  reply: unknown;
  /** The last part of the Location header of a 201; otherwise null. */
  locatedId: string | null;
  /** The route that worked. */
  route: RouteDialect;
  /** The address in a Link header with rel=next; otherwise null. */
  next: string | null;
} | null>;

export type ClassroomCallSeen = {
  environment: string;
  baseUrl: string;
  operation: OperationName;
  priority: Priority;
  /** Null when there was no answer. */
  status: number | null;
  /** How long the call waited for its permit, then for the answer (ms). */
  waitedMs: number;
  tookMs: number;
};

/** Makes calls with throttle, timeout and retries. @param deps.patienceMs How long after the first answer a retry may begin (ms). */
export function createClassroomCall(deps: {
  environment: { name: string; baseUrl: string; apiKey: string };
  dialect: Dialect;
  budgets: Budgets;
  addresses: AddressStore | null;
  open: OpenExchange;
  clock: Clock;
  logger: Logger;
  timeoutMs: number;
  patienceMs: number;
  onCall?: ((call: ClassroomCallSeen) => void) | undefined;
  rest: BackgroundRest;
}): ClassroomCall {
  const { environment, dialect, budgets, clock, logger, rest } = deps;
  const { statuses, operations } = dialect;
  const sendRoute = createSendRoute(deps);
  const addresses = createKnownAddresses({ ...deps, baseUrl: environment.baseUrl, store: deps.addresses });

  /** Retries after a 429, and after failures if that is safe, until an answer comes or patience ends. */
  async function insist(
    choose: () => RouteDialect,
    values: TemplateValues,
    request: CallRequest,
    call: FailedCall & { operation: OperationName },
  ): Promise<{ route: RouteDialect; answer: Answer }> {
    const { budget } = operations[call.operation];
    let giveUpAt = Infinity;
    for (let tried = 1; ; tried += 1) {
      const { priority } = request;
      await request.onWait?.();
      const linedUpAt = clock.now();
      const permit = await rest.bounded(priority, request.signal, (signal) =>
        budgets.acquire(budget, { priority, signal }),
      );
      await beforeSending(request, permit);
      // Chosen as late as possible, because another call may have found the right address by now.
      const route = choose();
      const { signal, page } = request;
      const sentAt = clock.now();
      const outcome = await sendRoute(route, values, { permit, signal, page });
      deps.onCall?.({
        environment: environment.name,
        baseUrl: environment.baseUrl,
        operation: call.operation,
        priority,
        status: outcome.kind === "answer" ? outcome.status : null,
        waitedMs: sentAt - linedUpAt,
        tookMs: clock.now() - sentAt,
      });
      giveUpAt = Math.min(giveUpAt, clock.now() + deps.patienceMs);
      const attempts = rest.attempts(priority, request.attempts ?? defaultAttempts);
      const progress = { tried, timeLeft: giveUpAt - clock.now() };
      const verdict = judge(outcome, { ...request, attempts }, call, progress);
      noteFor(rest, outcome, statuses.keyRefused);
      if (verdict.kind === "answer") return { route, answer: verdict.answer };
      if (verdict.kind === "give-up") {
        // This call can't wait that long, but all others pause.
        if (verdict.pauseMs > 0) budgets.refused(budget, verdict.pauseMs);
        throw verdict.error;
      }
      logger.warn({ ...call, ...verdict, tried }, "a classroom call is tried again");
      // After a 429 all calls pause, so the throttle delays the next attempt.
      if (verdict.kind === "slow-down") budgets.refused(budget, verdict.ms);
      else await clock.sleep(verdict.ms, signal);
    }
  }

  /** Uses the route that worked before. Otherwise tries each known one until an address exists and accepts the body. */
  async function findAddress(
    operation: OperationName,
    values: TemplateValues,
    request: CallRequest,
    call: FailedCall & { operation: OperationName },
  ): Promise<{ route: RouteDialect; answer: Answer; refusals: ShapeRefusal[] }> {
    const { routes } = operations[operation];
    await addresses.recall(operation);
    const tried = new Map<RouteDialect, Answer>();
    const refusals: ShapeRefusal[] = [];
    while (addresses.mayTry(operation, tried)) {
      const choose = () => addresses.next(operation, tried);
      const { route, answer } = await insist(choose, values, request, call);
      if (isSuccess(answer) && !isWebPage(answer.reply)) addresses.worked(operation, route);
      if (statuses.elsewhere.includes(answer.status)) noteElsewhere(routes, route, answer, tried);
      else if (statuses.refusedBody.includes(answer.status)) {
        const shape = routeInWords(route, routes);
        refusals.push({ shape, status: answer.status, reply: shapeOf(answer.reply) });
        // Nothing was created. Once a shape has worked, a refusal is about this call and not about the shape.
        if (!addresses.refused(operation, route)) return { route, answer, refusals };
        tried.set(route, answer);
        if (addresses.mayTry(operation, tried))
          logger.warn(
            { ...call, shape, status: answer.status },
            "a body is refused; the next shape is tried",
          );
      } else return { route, answer, refusals };
      // If this address worked before, it is still right, and the thing asked for doesn't exist.
      const known = addresses.known(operation);
      const knownAnswer = known === undefined ? undefined : tried.get(known);
      if (known !== undefined && knownAnswer !== undefined && isGone(operation, knownAnswer))
        return { route: known, answer: knownAnswer, refusals };
    }
    return { ...bestAnswer(operation, tried), refusals };
  }

  function noteElsewhere(
    routes: readonly RouteDialect[],
    route: RouteDialect,
    answer: Answer,
    tried: Map<RouteDialect, Answer>,
  ): void {
    for (const same of routes.filter((one) => addressOf(one) === addressOf(route))) {
      tried.set(same, answer);
      if (answer.status === 405 || !saysSomething(answer)) addresses.absent(same);
    }
  }

  /** If all routes failed: the answer of the one that worked before, or of one whose body was understood. */
  function bestAnswer(operation: OperationName, tried: ReadonlyMap<RouteDialect, Answer>) {
    const known = addresses.known(operation);
    const isRefusal = ({ answer }: { answer: Answer }) => statuses.refusedBody.includes(answer.status);
    const all = [...tried]
      .map(([route, answer]) => ({ route, answer }))
      .sort((one, other) => Number(other.route === known) - Number(one.route === known));
    const [first] = all;
    if (first === undefined) throw new Error(`the dialect has no address for ${operation}`);
    const refusal = known === undefined ? all.find(isRefusal) : undefined;
    addresses.exhausted(operation);
    return refusal ?? all.find(({ answer }) => answer.status === 404 && !isRefusal(first)) ?? first;
  }

  /** Whether a known address says that the thing doesn't exist, and not that the address is gone. */
  function isGone(operation: OperationName, answer: Answer): boolean {
    return statuses.gone.includes(answer.status) && (saysSomething(answer) || addresses.plainGone(operation));
  }

  return async (operation, values, request) => {
    const ended = rest.begin(request.priority);
    try {
      return await answerOf(operation, values, request);
    } finally {
      ended();
    }
  };

  async function answerOf(...[operation, values, request]: Parameters<ClassroomCall>) {
    const call = { operation, doing: request.doing, environment: environment.name };
    const { route, answer, refusals } = await findAddress(operation, values, request, call);
    if (isSuccess(answer)) {
      const next = nextLink(answer.link);
      return { reply: answer.reply, locatedId: idFromLocation(answer), route, next };
    }
    if (statuses.gone.includes(answer.status) && request.kind === "reading") return null;
    if (statuses.keyRefused.includes(answer.status)) throw unauthorized(call, answer.status);
    throw refused(call, answer.status, answer.reply, refusals);
  }
}

/** Failures of the account: a refused key, no answer, too many calls, a failing server. All others concern only this call. */
function noteFor(rest: BackgroundRest, outcome: SendOutcome, keyRefused: readonly number[]): void {
  const fails =
    outcome.kind === "failure" ||
    outcome.status === 429 ||
    (outcome.status >= 500 && outcome.status !== 501) ||
    keyRefused.includes(outcome.status);
  if (fails) rest.failed();
  else rest.answered();
}

async function beforeSending(request: CallRequest, permit: { answered: () => void }): Promise<void> {
  try {
    await request.onPermit?.();
  } catch (thrown) {
    permit.answered();
    throw thrown;
  }
}

/** A JSON object means that the service answers, and not a web server that lacks the page. */
function saysSomething({ reply }: Answer): boolean {
  return typeof reply === "object" && reply !== null;
}

type Verdict =
  | { kind: "answer"; answer: Answer }
  | { kind: "slow-down" | "again"; reason: string; ms: number }
  | { kind: "give-up"; error: NamedError; pauseMs: number };

type Progress = { tried: number; timeLeft: number };

function judge(outcome: SendOutcome, request: CallRequest, call: FailedCall, progress: Progress): Verdict {
  if (outcome.kind === "failure") {
    const once = outcome.beyondBounds ? { attempts: 1 } : {};
    return afterFailure(outcome, 0, { ...request, ...once }, call, progress);
  }
  const { status, retryAfterMs } = outcome;
  if (status === 429) {
    const ms = Math.min(retryAfterMs ?? 2 * backOff(progress.tried), maxPauseMs);
    if (ms > progress.timeLeft) return { kind: "give-up", error: busy(call, ms), pauseMs: ms };
    return { kind: "slow-down", reason: "status 429", ms };
  }
  // 501 means that there is no such operation, so a retry wouldn't help.
  if (status < 500 || status === 501) return { kind: "answer", answer: outcome };
  return afterFailure(
    { reason: `status ${status}`, neverSent: false },
    retryAfterMs ?? 0,
    request,
    call,
    progress,
  );
}

function afterFailure(
  failure: { reason: string; neverSent: boolean },
  atLeastMs: number,
  request: CallRequest,
  call: FailedCall,
  progress: Progress,
): Verdict {
  const ms = Math.max(backOff(progress.tried), atLeastMs);
  const mayRepeat = request.kind !== "creation" || failure.neverSent;
  const { attempts = defaultAttempts } = request;
  if (mayRepeat && progress.tried < attempts && ms <= progress.timeLeft)
    return { kind: "again", reason: failure.reason, ms };
  return { kind: "give-up", error: unreachable(call, failure.reason, !mayRepeat), pauseMs: 0 };
}

/** Half a second before the second attempt, then twice as long each time, up to 16 s. */
function backOff(tried: number): number {
  return 250 * 2 ** Math.min(tried, 6);
}

function isSuccess(answer: Answer): boolean {
  return answer.status >= 200 && answer.status < 300;
}
