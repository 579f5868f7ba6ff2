import {
  type Dialect,
  type OperationName,
  operationNames,
  operationValues,
  type RouteDialect,
} from "../dialect.ts";
import { rolesAdded } from "../adding-people.ts";
import { shapeOf } from "../read-reply.ts";
import type { Probe, Seen } from "./create-probe.ts";
import { advice, type Finding, finding, seen as saw, type Sentence } from "./finding.ts";
import { judgeAnswer, type Verdict } from "./judge-answer.ts";
import type { UnknownAddress } from "./examine-service.ts";
import { examinePages } from "./examine-pages.ts";
import { examineList } from "./examine-list.ts";

/** Without these nobody enters or gets a grade. */
const needed: ReadonlySet<OperationName> = new Set([
  "createApiUser",
  "createSpace",
  "authorize",
  "readEvent",
  "readAttendance",
]);

type Tried = { route: RouteDialect; how: "read" | "options"; verdict: Verdict; seen: Seen };

/** Without changing anything: readings by GET with an id that nothing has, all else by OPTIONS. */
export async function examineOperations(deps: {
  environment: { baseUrl: string };
  dialect: Dialect;
  probe: Probe;
  unknown: UnknownAddress;
  nobody: string;
  /** What to do about an operation that only shows itself when used. */
  onceUsed: Sentence<"todo"> | string;
  /** Operations that were really used already. */
  except: ReadonlySet<OperationName>;
}): Promise<Finding[]> {
  const { dialect } = deps;
  const tried: { operation: OperationName; each: Tried[] }[] = [];
  let failures = 0;
  for (const operation of operationNames) {
    const { routes } = dialect.operations[operation];
    if (deps.except.has(operation) || routes.length === 0) continue;
    if (failures >= 2) break;
    const each = await tryRoutes(deps, operation, routes);
    failures = each.some(({ verdict }) => verdict === "no-answer") ? failures + 1 : 0;
    tried.push({ operation, each });
  }
  const optionsWork = tried.some(({ each }) =>
    each.some(({ how, verdict }) => how === "read" && verdict === "exists"),
  );
  const { onceUsed } = deps;
  const later = laterPeople(dialect);
  const findings = tried.map(({ operation, each }) =>
    conclude(dialect, operation, each, { optionsWork, onceUsed }),
  );
  for (const { operation, each } of tried) findings.push(...(await pagesOf(deps, operation, each)));
  if (dialect.operations.findCohorts.routes.length === 0) findings.push(cohortsByWebhookOnly);
  if (later !== null) findings.push(later);
  if (failures >= 2) {
    findings.push(finding("wrong", "service", saw("stopped-answering"), { todo: advice("again-soon") }));
  }
  return findings;
}

const cohortsByWebhookOnly = finding("note", "findCohorts", saw("cohorts-by-webhook"), {
  todo: advice("name-cohorts"),
});

/** Whom the tool cannot add to an existing Space; null where it can add everybody. */
function laterPeople(dialect: Dialect): Finding | null {
  const added = rolesAdded(dialect);
  if (added.length === 2) return null;
  const lost = (["host", "participant"] as const).filter((role) => !added.includes(role));
  const what = lost.map((role) => saw(role === "host" ? "no-later-hosts" : "no-later-participants"));
  return finding("note", "addToSpace", what, { todo: advice("name-adding") });
}

async function tryRoutes(
  { dialect, probe, unknown, nobody }: Parameters<typeof examineOperations>[0],
  operation: OperationName,
  routes: readonly RouteDialect[],
): Promise<Tried[]> {
  const { budget } = dialect.operations[operation];
  const each: Tried[] = [];
  for (const [index, route] of routes.entries()) {
    // Only addresses are compared here, not bodies.
    if (routes.findIndex((one) => addressOf({ route: one }) === addressOf({ route })) < index) continue;
    const how = route.method === "GET" && reads(operation) ? "read" : "options";
    const values = madeUp(operation, nobody);
    const seen = await probe(route, values, { budget, asOptions: how === "options" });
    const own = [route.path.replaceAll(/\{[^{}]*\}/g, nobody), nobody];
    const plain = judgeAnswer(dialect.statuses, seen, unknown[how], own);
    const verdict = how === "options" ? judgeOptions(seen, route.method, plain, unknown.allow) : plain;
    each.push({ route, how, verdict, seen });
    if (verdict === "answers" || verdict === "exists" || verdict === "complains") break;
  }
  return each;
}

function reads(operation: OperationName): boolean {
  return operation.startsWith("read") || operation.startsWith("find");
}

/** OPTIONS only has its Allow header, and that only counts where addresses differ in it. */
function judgeOptions(seen: Seen, method: string, plain: Verdict, everywhere: readonly string[]): Verdict {
  if (seen.kind === "failure") return "no-answer";
  const differs = seen.allow.length > 0 && seen.allow.join() !== everywhere.join();
  if (differs) return seen.allow.includes(method) ? "exists" : "not-here";
  return plain === "limited" || plain === "fails" || plain === "key-refused" ? plain : "like-unknown";
}

function isId(name: string): boolean {
  return name.endsWith("Id");
}

/** The most informative of an operation's answers, as one finding. */
function conclude(
  dialect: Dialect,
  operation: OperationName,
  each: readonly Tried[],
  { optionsWork, onceUsed }: { optionsWork: boolean; onceUsed: Sentence<"todo"> | string },
): Finding {
  const bad = needed.has(operation) ? "wrong" : "note";
  const at = (verdict: Verdict) => each.find((one) => one.verdict === verdict);
  const answers = at("answers");
  if (answers !== undefined) return answered(dialect, operation, answers);
  const exists = at("exists");
  if (exists !== undefined) return finding("fine", operation, saw("there", { address: addressOf(exists) }));
  const complains = at("complains");
  if (complains !== undefined) {
    const values = { address: addressOf(complains), status: statusOf(complains) };
    return finding("fine", operation, saw("there-for-made-up", values));
  }
  const trouble = each.find(({ verdict }) => verdict !== "not-here" && verdict !== "like-unknown");
  if (trouble !== undefined) return inTrouble(operation, trouble, bad);
  const addresses = each.map(addressOf).join(", ");
  const certain = each.every(({ how, verdict }) => verdict === "not-here" || (how === "read" && optionsWork));
  if (certain) {
    return finding(bad, operation, saw("not-there", { addresses }), {
      todo: advice("name-address", { operation }),
    });
  }
  return finding("note", operation, saw("unseen", { addresses }), {
    todo: operation === "configureWebhook" ? advice("connect-uses-it") : onceUsed,
  });
}

async function pagesOf(
  deps: Parameters<typeof examineOperations>[0],
  operation: OperationName,
  each: readonly Tried[],
): Promise<Finding[]> {
  const answer = each.find(({ how, verdict }) => how === "read" && verdict === "answers");
  if (answer?.seen.kind !== "answer" || deps.dialect.operations[operation].reply.items === undefined)
    return [];
  const { route, seen } = answer;
  const values = madeUp(operation, deps.nobody);
  const found = await examinePages(
    { ...deps, baseUrl: deps.environment.baseUrl },
    { operation, route, values, seen },
  );
  return found === null ? [] : [found];
}

function madeUp(operation: OperationName, nobody: string): Record<string, string> {
  return Object.fromEntries(operationValues[operation].filter(isId).map((name) => [name, nobody]));
}

/** Something missing was answered 2xx: usual for lists, odd for everything else. */
function answered(dialect: Dialect, operation: OperationName, one: Tried): Finding {
  const reply = one.seen.kind === "answer" ? one.seen.reply : null;
  const { items } = dialect.operations[operation].reply;
  const address = addressOf(one);
  if (items === undefined) {
    const what = saw("there-for-anything", { address, status: statusOf(one) });
    return finding("note", operation, what, { shape: shapeOf(reply) });
  }
  return examineList(dialect, operation, address, reply);
}

function inTrouble(operation: OperationName, one: Tried, level: Finding["level"]): Finding {
  const address = addressOf(one);
  const status = statusOf(one);
  switch (one.verdict) {
    case "page":
      return finding(level, operation, saw("page-there", { address }), { todo: advice("not-the-api") });
    case "key-refused":
      return finding(level, operation, saw("key-refused-there", { address, status }), {
        todo: advice("right-or-missing"),
      });
    case "redirects":
      return finding(level, operation, saw("redirects-there", { address, status }), {
        todo: advice("follow-address", { operation }),
      });
    case "limited":
      return finding("note", operation, saw("limited-there", { address }), { todo: advice("other-user") });
    case "fails":
      return finding(level, operation, saw("fails-there", { address, status }), {
        todo: advice("again-then-support"),
      });
    default: {
      const reason = one.seen.kind === "failure" ? one.seen.reason : "no answer";
      return finding(level, operation, saw("no-answer-there", { address, reason }), {
        todo: advice("again-then-support"),
      });
    }
  }
}

function addressOf({ route }: { route: RouteDialect }): string {
  return `${route.method} ${route.path}`;
}

function statusOf({ seen }: Tried): number {
  return seen.kind === "answer" ? seen.status : 0;
}
