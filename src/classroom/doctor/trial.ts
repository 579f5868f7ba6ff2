import type { Dialect, OperationName, RouteDialect } from "../dialect.ts";
import type { TemplateValues } from "../fill-template.ts";
import { layOver } from "../lay-over.ts";
import { parseDialect } from "../parse-dialect.ts";
import { shapeOf } from "../read-reply.ts";
import type { Probe, Seen } from "./create-probe.ts";
import { examineList } from "./examine-list.ts";
import { failureInWords } from "./failure-in-words.ts";
import { type Finding, finding } from "./finding.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { lookFor, type Wanted } from "./look-for.ts";
import { wordsOf } from "./words-of.ts";

/** An operation that succeeded, where and with what. */
type Used = { operation: OperationName; address: string; answer: Extract<Seen, { kind: "answer" }> };

/**
 * Uses operations as the tool does and notes what is found. What can be mended by the dialect is mended for the
 * steps that follow, so that one run finds everything.
 */
export function createTrial(deps: {
  environment: { baseUrl: string; apiKey: string };
  dialect: Dialect;
  probe: Probe;
}) {
  const { environment, probe } = deps;
  let { dialect } = deps;
  let dead = false;
  const findings: Finding[] = [];
  const tried: OperationName[] = [];

  function note(one: Finding): void {
    findings.push(one);
    if (one.dialect !== null) dialect = parseDialect(layOver(dialect, one.dialect));
  }

  async function useRoutes(operation: OperationName, values: TemplateValues) {
    const { routes, budget } = dialect.operations[operation];
    let last: { route: RouteDialect; seen: Seen } | null = null;
    for (const route of routes) {
      const seen = await probe(route, values, { budget });
      last = { route, seen };
      if (seen.kind === "failure" || !dialect.statuses.elsewhere.includes(seen.status)) break;
    }
    if (last?.seen.kind !== "answer" || last.seen.status !== 415 || last.route.encoding === "form")
      return last;
    const asForm: RouteDialect = { ...last.route, encoding: "form" };
    const seen = await probe(asForm, values, { budget });
    if (seen.kind === "failure" || seen.status >= 300) return last;
    note(
      finding(
        "wrong",
        operation,
        `${addressOf(asForm)} does not take a body in JSON (status 415), but takes a form.`,
        {
          todo: "Write the lines below into the dialect file.",
          dialect: { operations: { [operation]: { routes: [asForm] } } },
        },
      ),
    );
    return { route: asForm, seen };
  }

  /** Uses an operation, address after address. Null when it did not succeed. */
  async function use(operation: OperationName, values: TemplateValues): Promise<Used | null> {
    if (dead) return null;
    tried.push(operation);
    const last = await useRoutes(operation, values);
    if (last === null) return null;
    const { route, seen } = last;
    dead = seen.kind === "failure";
    const failure = failed(environment, dialect, operation, last);
    if (failure === null && seen.kind === "answer")
      return { operation, address: addressOf(route), answer: seen };
    if (failure !== null) note(failure);
    return null;
  }

  return {
    findings,
    tried,
    note,
    use,

    /** Notes where the wanted fields are. @returns the first one's value */
    look: ({ operation, answer, address }: Used, wanted: readonly Wanted[]): string | null => {
      const places: string[] = [];
      const missing: Finding[] = [];
      for (const one of wanted) {
        const { at, finding: problem } = lookFor(dialect, operation, answer, one);
        if (at !== null) places.push(at);
        if (problem === null) continue;
        missing.push(problem);
        note(problem);
      }
      if (missing.every(({ level }) => level !== "wrong")) {
        const found = places.length === 0 ? "" : `; found ${places.join(", ")}`;
        note(finding("fine", operation, `${address} answers ${answer.status}${found}.`));
      }
      const [first] = wanted;
      return first === undefined ? null : lookFor(dialect, operation, answer, first).value;
    },

    /** Reads a list and notes whether its entries can be read. */
    readList: async (operation: OperationName, values: TemplateValues): Promise<void> => {
      const used = await use(operation, values);
      if (used !== null) note(examineList(dialect, operation, used.address, used.answer.reply));
    },
  };
}

/** Why an operation did not succeed; null when it did. */
function failed(
  environment: { baseUrl: string; apiKey: string },
  dialect: Dialect,
  operation: OperationName,
  { route, seen }: { route: RouteDialect; seen: Seen },
): Finding | null {
  const address = addressOf(route);
  const level = operation === "readRecordings" || operation === "readSessions" ? "note" : "wrong";
  if (seen.kind === "failure") {
    const { message, todo } = failureInWords(seen.reason, environment.baseUrl);
    return finding(level, operation, `${address}: ${message}`, { todo });
  }
  const verdict = judgeAnswer(dialect.statuses, seen, null, []);
  if (verdict === "answers") return null;
  const said = wordsOf(seen.reply, [environment.apiKey]);
  const quoted = said === null ? "" : ` The service says: "${said}"`;
  const todo = {
    page: "CLASSROOM_..._BASE_URL must be the address of the API, not of the web application.",
    complains: `Ask the service what it expects and write it as operations.${operation}.routes into the dialect file.`,
    "key-refused": "The key may lack a right. Ask the service.",
  }[verdict === "page" || verdict === "key-refused" ? verdict : "complains"];
  const what = verdict === "page" ? "with a web page instead of JSON" : String(seen.status);
  return finding(level, operation, `${address} answers ${what}.${quoted}`, {
    todo,
    shape: shapeOf(seen.reply),
  });
}

function addressOf({ method, path }: RouteDialect): string {
  return `${method} ${path}`;
}
