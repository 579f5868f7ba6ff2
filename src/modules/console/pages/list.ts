import { Router } from "express";
import { refusal } from "../../../kernel/refusal.ts";
import type { ConsoleOffice } from "../../operations/rules/console-access.ts";
import { sendFile } from "../../../web/answer.ts";
import { numberText } from "../../../web/page-text.ts";
import { byteOrderMark, csvLine } from "../../../web/table-file.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { Gate, OpenTo, Visit } from "./gate.ts";
import type { Asking, Lead, ListPage, ListRows, ListFrame } from "./list-view.ts";
import type { Area } from "./navigation.ts";
import type { ConsoleFrame } from "./partials.ts";
import { addressWith, cursorIn, recordOf } from "./requests.ts";

export type ListContext<Query extends Asking> = {
  visit: Visit;
  t: Translate;
  query: Query;
  /** Where the page begins. Null for the first page. */
  cursor: string | null;
  /** The list's address, with other values if given. */
  at: (change?: Asking) => string;
  /** A number from the address: how much a change has just done. */
  outcome: (name: string) => number | null;
  /** Where the change of all that match continues. Null when it's done. */
  rest: Lead | null;
};

/** A change of all rows that match, after a page that says how many. */
type ForAll<Query extends Asking> = {
  /** Address of the question and of its form. */
  path: string;
  /** `none`: shown instead of `what` if nothing matches. */
  texts: (t: Translate) => { offer: string; heading: string; what: string; none?: string; button: string };
  found: (t: Translate, found: { count: number; number: string; atLeast: boolean }) => string;
  facts: (context: ListContext<Query>) => Facts | Promise<Facts>;
  count: (context: ListContext<Query>) => Promise<{ matched: number; next: string | null }>;
  /** @returns what the list then says about it, by names in its address */
  run: (context: ListContext<Query>) => Promise<{ outcome: Record<string, number>; next: string | null }>;
};
type Facts = readonly { name: string; value: string }[];

type ListFacts<Query extends Asking> = {
  path: string;
  area: Area;
  /** Default: the area's name. */
  title?: (t: Translate) => string;
  openTo?: OpenTo;
  office?: ConsoleOffice;
  /** Another address for some people, instead of the list. */
  instead?: (visit: Visit) => string | null;
  /** Reads the query. Text that is too long or unreadable must find nothing, rather than everything. */
  read: (given: Readonly<Record<string, unknown>>, visit: Visit) => Query | Promise<Query>;
  /** The search is posted, so what was typed is in no address and in no log of addresses. */
  posted?: true;
  /** Name of a CSV file of all that matches. */
  file?: string;
  forAll?: ForAll<Query>;
};

type ConsoleList<Query extends Asking, Rows extends ListRows> = ListFacts<Query> & {
  /** The rows of a page. A file only needs these. */
  rows: (context: ListContext<Query>) => Rows | Promise<Rows>;
  /** What surrounds the rows: counts, notes, the filter. */
  around: (context: ListContext<Query>, rows: Rows) => ListFrame | Promise<ListFrame>;
};

const listPage = defineView<ListPage>("admin/list");
const questionPage = defineView<QuestionPage>("admin/question");
export type QuestionPage = ConsoleFrame & { question: Awaited<ReturnType<typeof questionView>> };

/** The list, its file, and the question before a change of all that match. */
export function consoleList<Query extends Asking, Rows extends ListRows>(
  gate: Gate,
  list: ConsoleList<Query, Rows>,
): Router {
  const router = Router();
  const { path, area, openTo, office, forAll } = list;
  const answer = async (visit: Visit, given: unknown) => {
    const instead = list.instead?.(visit) ?? null;
    if (instead !== null) {
      visit.goTo(instead);
      return;
    }
    const context = await contextOf(list, visit, given);
    const title = list.title?.(visit.t) ?? visit.t(`console.areas.${area}`);
    if (list.file !== undefined && visit.request.query["as"] === "csv") {
      const file = { name: `${list.file}.csv`, type: "text/csv; charset=utf-8" };
      const lines = linesOfFile(list, context, () => gate.noteDownload(visit, title));
      await sendFile(visit.response, file, lines);
      return;
    }
    const rows = await list.rows(context);
    if (rows.wrong != null) visit.response.status(400);
    const model = { list: listView(list, context, rows, await list.around(context, rows)) };
    visit.show({ view: listPage, title, area, model });
  };
  const isPosted = list.posted === true;
  router.get(
    path,
    gate.page((visit) => answer(visit, isPosted ? {} : visit.request.query), openTo, office),
  );
  if (isPosted)
    router.post(
      path,
      gate.action((visit) => answer(visit, visit.request.body), openTo, "readers"),
    );
  if (forAll === undefined) return router;
  router.get(
    forAll.path,
    gate.page(async (visit) => {
      const question = await questionView(forAll, await contextOf(list, visit, visit.request.query));
      visit.show({ view: questionPage, title: forAll.texts(visit.t).heading, area, model: { question } });
    }, openTo),
  );
  router.post(
    forAll.path,
    gate.action(async (visit) => {
      const context = await contextOf(list, visit, visit.request.body);
      const { outcome, next } = await forAll.run(context);
      const numbers = Object.entries(outcome).map(([name, value]) => [name, String(value)] as const);
      visit.response.redirect(303, context.at({ ...Object.fromEntries(numbers), rest: next ?? "" }));
    }, openTo),
  );
  return router;
}

async function contextOf<Query extends Asking>(
  { path, read, forAll }: ListFacts<Query>,
  visit: Visit,
  given: unknown,
): Promise<ListContext<Query>> {
  const { t, request } = visit;
  const query = await read(recordOf(given), visit);
  const named = (name: string) => {
    const value = request.query[name];
    return typeof value === "string" ? value : "";
  };
  const rest = named("rest");
  return {
    visit,
    t,
    query,
    cursor: cursorIn(given),
    at: (change = {}) => addressWith(`/admin${path}`, { ...query, ...change }),
    outcome: (name) => (/^\d{1,9}$/.test(named(name)) ? Number(named(name)) : null),
    rest:
      forAll === undefined || rest === ""
        ? null
        : { text: t("inbox.more"), link: addressWith(`/admin${forAll.path}`, { ...query, cursor: rest }) },
  };
}

function listView<Query extends Asking>(
  list: ListFacts<Query>,
  context: ListContext<Query>,
  { tables, next = null, wrong = null }: ListRows,
  frame: ListFrame,
): ListPage["list"] {
  const { t, cursor, at } = context;
  const hasRows = tables.some(({ groups }) => groups.length > 0);
  const further = hasRows ? (frame.older ?? t("inbox.older")) : t("inbox.lookFurther");
  return {
    ...frame,
    tables,
    wrong,
    isPart: cursor !== null || next !== null,
    hasRows,
    action: `/admin${list.path}`,
    method: list.posted === true ? "post" : "get",
    pager: [
      ...(cursor === null ? [] : [{ text: t("common.firstPage"), link: at() }]),
      ...(next === null ? [] : [{ text: further, link: at({ cursor: next }) }]),
    ],
    below: [...(hasRows ? offersOf(list, context, frame) : []), ...(frame.below ?? [])],
  };
}

/** What can be done with all that match. */
function offersOf<Query extends Asking>(
  { file, forAll }: ListFacts<Query>,
  { t, query, at }: ListContext<Query>,
  frame: ListFrame,
): Lead[] {
  const offers: Lead[] = [];
  if (forAll !== undefined && frame.forAll === true) {
    const link = addressWith(`/admin${forAll.path}`, query);
    offers.push({ text: forAll.texts(t).offer, link, button: true });
  }
  if (file !== undefined) offers.push({ text: t("usage.file"), link: at({ as: "csv" }), button: true });
  return offers;
}

async function questionView<Query extends Asking>(forAll: ForAll<Query>, context: ListContext<Query>) {
  const { t, query, cursor, at } = context;
  const action = `/admin${forAll.path}`;
  const { matched, next } = await forAll.count(context);
  const further = matched === 0 && next !== null ? addressWith(action, { ...query, cursor: next }) : null;
  const found = { count: matched, number: numberText(t, matched), atLeast: next !== null };
  const { what, none = what, ...texts } = forAll.texts(t);
  return {
    ...texts,
    what: matched === 0 && next === null ? none : what,
    matched,
    further,
    action,
    back: at(),
    found: further === null ? forAll.found(t, found) : t("inbox.receipts.further"),
    facts: (await forAll.facts(context)).filter(({ value }) => value !== ""),
    fields: { ...query, cursor: cursor ?? "" },
  };
}

/** Writes page by page, so a long list needs no memory. */
async function* linesOfFile<Query extends Asking>(
  list: Pick<ConsoleList<Query, ListRows>, "rows">,
  context: ListContext<Query>,
  noteIt: () => Promise<void>,
): AsyncGenerator<string> {
  let cursor: string | null = null;
  do {
    const { tables, wrong, next = null }: ListRows = await list.rows({ ...context, cursor });
    const [first] = tables;
    if (wrong != null || first === undefined) throw refusal("times-unreadable", { status: 400 });
    const { head, rows } = first.file();
    if (cursor === null) await noteIt();
    yield (cursor === null ? byteOrderMark + csvLine(head) : "") + rows.map((row) => csvLine(row)).join("");
    cursor = next;
  } while (cursor !== null);
}
