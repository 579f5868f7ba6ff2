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
import { type Finding, finding } from "./finding.ts";
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
  onceUsed: string;
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
    findings.push(
      finding("wrong", "service", "It stopped answering during the examination; the rest was not tried.", {
        todo: "Run the doctor again in a minute.",
      }),
    );
  }
  return findings;
}

const cohortsByWebhookOnly = finding(
  "note",
  "findCohorts",
  "The dialect names no list of cohorts, for the document shows none: those that webhooks told of are known, and no others.",
  {
    todo: "If the service has such a list, write its address as operations.findCohorts.routes into the dialect file.",
  },
);

/** Whom the tool cannot add to an existing Space; null where it can add everybody. */
function laterPeople(dialect: Dialect): Finding | null {
  const added = rolesAdded(dialect);
  if (added.length === 2) return null;
  const effects = {
    host: "later instructors enter as participants",
    participant: "a Private Space refuses later learners",
  };
  const lost = (["host", "participant"] as const).filter((role) => !added.includes(role));
  const means = lost.map((role) => effects[role]).join(", and ");
  const message = `Who joins a course after its Space was made is not added to the Space's ${lost.map((role) => `${role}s`).join(" and ")}: the dialect names no way. Where the service goes by its lists, ${means}.`;
  return finding("note", "addToSpace", message, {
    todo: "The document shows no operation for it. If the service has one, write it as operations.addToSpace.routes into the dialect file.",
  });
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
    const own = [route.path.replaceAll(/\{[^}]*\}/g, nobody), nobody];
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
  { optionsWork, onceUsed }: { optionsWork: boolean; onceUsed: string },
): Finding {
  const bad = needed.has(operation) ? "wrong" : "note";
  const at = (verdict: Verdict) => each.find((one) => one.verdict === verdict);
  const answers = at("answers");
  if (answers !== undefined) return answered(dialect, operation, answers);
  const exists = at("exists");
  if (exists !== undefined) return finding("fine", operation, `${addressOf(exists)} is there.`);
  const complains = at("complains");
  if (complains !== undefined) {
    const message = `${addressOf(complains)} is there (it answers ${statusOf(complains)} to a made-up id).`;
    return finding("fine", operation, message);
  }
  const trouble = each.find(({ verdict }) => verdict !== "not-here" && verdict !== "like-unknown");
  if (trouble !== undefined) return inTrouble(operation, trouble, bad);
  const addresses = each.map(addressOf).join(", ");
  const certain = each.every(({ how, verdict }) => verdict === "not-here" || (how === "read" && optionsWork));
  if (certain) {
    return finding(bad, operation, `None of its documented addresses is there: ${addresses}.`, {
      todo: `Ask the service for the address and write it as operations.${operation}.routes into the dialect file.`,
    });
  }
  return finding("note", operation, `Whether it is there cannot be seen without using it: ${addresses}.`, {
    todo: operation === "configureWebhook" ? "npm run cli -- webhooks connect uses it." : onceUsed,
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
    const message = `${address} is there, but answers ${statusOf(one)} for an id that nothing has.`;
    return finding("note", operation, message, { shape: shapeOf(reply) });
  }
  return examineList(dialect, operation, address, reply);
}

function inTrouble(operation: OperationName, one: Tried, level: Finding["level"]): Finding {
  const address = addressOf(one);
  const status = statusOf(one);
  switch (one.verdict) {
    case "page":
      return finding(level, operation, `${address} answers with a web page instead of JSON.`, {
        todo: "CLASSROOM_..._BASE_URL must be the address of the API, not of the web application.",
      });
    case "key-refused":
      return finding(
        level,
        operation,
        `${address} is answered ${status}, though the key is taken elsewhere.`,
        {
          todo: "The key may lack a right, or the address does not exist (some gateways answer so). Ask the service.",
        },
      );
    case "redirects":
      return finding(level, operation, `${address} redirects (status ${status}); the tool does not follow.`, {
        todo: `Write the address it leads to as operations.${operation}.routes into the dialect file.`,
      });
    case "limited":
      return finding("note", operation, `${address} was refused for too many calls (429) each time.`, {
        todo: "Something else uses this key. Run the doctor again later.",
      });
    case "fails":
      return finding(level, operation, `${address} answers ${status}: an error inside the service.`, {
        todo: "Run the doctor again; if it stays, tell the service's support.",
      });
    default: {
      const reason = one.seen.kind === "failure" ? one.seen.reason : "no answer";
      return finding(level, operation, `${address} did not answer (${reason}).`, {
        todo: "Run the doctor again; if it stays, tell the service's support.",
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
