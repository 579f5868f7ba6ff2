import type { Dialect, OperationName, RouteDialect } from "../dialect.ts";
import type { TemplateValues } from "../fill-template.ts";
import { addressOf, routeInWords } from "../known-addresses.ts";
import { deepMerge } from "../deep-merge.ts";
import { parseDialect } from "../parse-dialect.ts";
import { shapeOf } from "../read-reply.ts";
import type { Probe, Seen } from "./create-probe.ts";
import { examineList } from "./examine-list.ts";
import { examinePages } from "./examine-pages.ts";
import { failureInWords } from "./failure-in-words.ts";
import { type Finding, finding, seenInEnglish } from "./finding.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { findFields, type Wanted } from "./find-fields.ts";
import { replyText } from "./reply-text.ts";

type Try = { route: RouteDialect; seen: Seen };

export type Used = {
  operation: OperationName;
  route: RouteDialect;
  address: string;
  answer: Extract<Seen, { kind: "answer" }>;
};

/** As the tool does. What the dialect can mend is mended for later steps, so that one run finds everything. */
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
    if (one.dialect !== null) dialect = parseDialect(deepMerge(dialect, one.dialect));
  }

  async function useRoutes(operation: OperationName, values: TemplateValues) {
    const { routes, budget } = dialect.operations[operation];
    const { elsewhere, refusedBody } = dialect.statuses;
    const tries: Try[] = [];
    for (const route of routes) {
      if (tries.some((one) => isElsewhere(one) && addressOf(one.route) === addressOf(route))) continue;
      const seen = await probe(route, values, { budget });
      tries.push({ route, seen });
      if (seen.kind === "failure" || ![...elsewhere, ...refusedBody].includes(seen.status)) break;
    }
    const refusals = tries.filter(({ seen }) => seen.kind === "answer" && refusedBody.includes(seen.status));
    const last = tries.at(-1) ?? null;
    // An existing address says more than a missing one.
    const informative = last !== null && isElsewhere(last) ? (refusals.at(-1) ?? last) : last;
    return { last: await asFormIfWanted(operation, values, informative), refusals };
  }

  function isElsewhere({ seen }: Try): boolean {
    return seen.kind === "answer" && dialect.statuses.elsewhere.includes(seen.status);
  }

  async function asFormIfWanted(
    operation: OperationName,
    values: TemplateValues,
    last: Try | null,
  ): Promise<Try | null> {
    if (last?.seen.kind !== "answer" || last.seen.status !== 415 || last.route.encoding === "form")
      return last;
    const { budget } = dialect.operations[operation];
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

  /** Uses an operation, shape by shape. Null when it did not succeed; `quietly`: refusals are not recorded. */
  async function use(
    operation: OperationName,
    values: TemplateValues,
    how: { quietly?: boolean } = {},
  ): Promise<Used | null> {
    if (dead) return null;
    tried.push(operation);
    const { last, refusals } = await useRoutes(operation, values);
    if (last === null) return null;
    const { route, seen } = last;
    dead = seen.kind === "failure";
    const failure = failed(environment, dialect, operation, last, refusals);
    if (failure === null && seen.kind === "answer")
      return { operation, route, address: addressOf(route), answer: seen };
    if (failure !== null && (dead || how.quietly !== true)) note(failure);
    return null;
  }

  return {
    findings,
    tried,
    note,
    use,

    /** @returns the first one's value */
    look: ({ operation, answer, address }: Used, wanted: readonly Wanted[]): string | null => {
      const places: string[] = [];
      const missing: Finding[] = [];
      for (const one of wanted) {
        const { at, finding: problem } = findFields(dialect, operation, answer, one);
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
      return first === undefined ? null : findFields(dialect, operation, answer, first).value;
    },

    readList: async (operation: OperationName, values: TemplateValues): Promise<void> => {
      const used = await use(operation, values);
      if (used === null) return;
      const { route, answer: seen } = used;
      note(examineList(dialect, operation, used.address, seen.reply));
      const { baseUrl } = environment;
      const paged = await examinePages({ dialect, probe, baseUrl }, { operation, route, values, seen });
      if (paged !== null) note(paged);
    },
  };
}

export type Trial = ReturnType<typeof createTrial>;

function failed(
  environment: { baseUrl: string; apiKey: string },
  dialect: Dialect,
  operation: OperationName,
  { route, seen }: Try,
  refusals: readonly Try[],
): Finding | null {
  const address = addressOf(route);
  const level = operation === "readRecordings" || operation === "readSessions" ? "note" : "wrong";
  if (seen.kind === "failure") {
    const { what, todo } = failureInWords(seen.reason, environment.baseUrl);
    return finding(level, operation, `${address}: ${seenInEnglish(what)}`, { todo });
  }
  const verdict = judgeAnswer(dialect.statuses, seen, null, []);
  if (verdict === "answers") return null;
  const quoted = quotedFrom(seen, environment.apiKey);
  const todo = {
    page: "CLASSROOM_..._BASE_URL must be the address of the API, not of the web application.",
    complains: `Ask the service what it expects and write it as operations.${operation}.routes into the dialect file.`,
    "key-refused": "The key may lack a right. Ask the service.",
  }[verdict === "page" || verdict === "key-refused" ? verdict : "complains"];
  const what = verdict === "page" ? "with a web page instead of JSON" : String(seen.status);
  const { routes } = dialect.operations[operation];
  const message =
    verdict === "complains" && refusals.length > 1
      ? `No known shape is taken. ${refusals.map((one) => refusalInWords(one, routes, environment.apiKey)).join(" ")}`
      : `${address} answers ${what}.${quoted}`;
  return finding(level, operation, message, {
    todo,
    shape: shapeOf(seen.reply),
  });
}

function refusalInWords(one: Try, routes: readonly RouteDialect[], apiKey: string): string {
  const status = one.seen.kind === "answer" ? one.seen.status : "nothing";
  return `${routeInWords(one.route, routes)} answers ${status}.${quotedFrom(one.seen, apiKey)}`;
}

function quotedFrom(seen: Seen, apiKey: string): string {
  const said = seen.kind === "answer" ? replyText(seen.reply, [apiKey]) : null;
  return said === null ? "" : ` The service says: "${said}"`;
}
