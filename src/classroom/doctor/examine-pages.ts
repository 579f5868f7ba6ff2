import { nextLink } from "../../kernel/next-link.ts";
import type { Dialect, OperationName, RouteDialect } from "../dialect.ts";
import type { TemplateValues } from "../fill-template.ts";
import { nextPage } from "../next-page.ts";
import { askedByRoutes, askWithin, type PageAsk } from "../page-ask.ts";
import { pageSigns, saysPages } from "../page-signs.ts";
import { listIn } from "./examine-list.ts";
import type { Probe, Seen } from "./create-probe.ts";
import { advice, type Finding, finding, seen as saw, type Sentence } from "./finding.ts";

export type ReadList = {
  operation: OperationName;
  route: RouteDialect;
  values: TemplateValues;
  seen: Extract<Seen, { kind: "answer" }>;
};

const nameThem = (operation: OperationName) => ({ todo: advice("name-parameters", { operation }) });

/** How a list is paged, and whether its second page can be read; null where the reply has no pages. */
export async function examinePages(
  deps: { dialect: Dialect; probe: Probe; baseUrl: string },
  { operation, route, values, seen }: ReadList,
): Promise<Finding | null> {
  const { pages, operations } = deps.dialect;
  const list = listIn(deps.dialect, operation, seen.reply);
  if (list === null) return null;
  const signs = pageSigns(seen.reply, list, nextLink(seen.link), pages);
  if (!saysPages(signs)) return null;
  const named = askedByRoutes(operations[operation].routes);
  const count = list.length;
  const next = nextPage({ signs, asked: null, named, count, read: count }, pages);
  if ("end" in next) {
    if (next.end === null) return finding("fine", operation, saw("pages-end"));
    return finding("note", operation, saw("pages-unsaid"), nameThem(operation));
  }
  const how = inWords(next.ask);
  const ask = askWithin(next.ask, null, { baseUrl: deps.baseUrl, keyParameter: deps.dialect.apiKey.query });
  if (ask === null) return finding("note", operation, [how, saw("next-elsewhere")], nameThem(operation));
  const second = await deps.probe(route, values, { budget: operations[operation].budget, page: ask });
  const more = second.kind === "answer" ? listIn(deps.dialect, operation, second.reply) : null;
  if (more === null) return finding("note", operation, [how, saw("next-missing")], nameThem(operation));
  if (JSON.stringify(more) === JSON.stringify(list))
    return finding("note", operation, [how, saw("next-same")], nameThem(operation));
  return finding("fine", operation, [how, saw("next-more", { entries: more.length })]);
}

function inWords(ask: PageAsk): Sentence<"seen"> {
  return ask.kind === "link" ? saw("pages-by-link") : saw("pages-by-parameter", { name: ask.name });
}
