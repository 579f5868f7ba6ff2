import type { Clock } from "../kernel/clock.ts";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Dialect, RouteDialect } from "./dialect.ts";
import { fillRoute, type TemplateValues } from "./fill-template.ts";
import type { OpenExchange } from "./exchange.ts";
import { type PageAsk, linkedAddress, valuesOfPage } from "./page-ask.ts";
import { type SendOutcome, sendOnce } from "./send-once.ts";
import type { Permit } from "./permits.ts";

/** Sends one request of the dialect; the caller has a permit. */
export type SendRoute = (
  route: RouteDialect,
  values: TemplateValues,
  options: {
    permit: Permit;
    signal?: AbortSignal | undefined;
    page?: PageAsk | null | undefined;
    withoutKey?: boolean | undefined;
  },
) => Promise<SendOutcome>;

/** Address, words, headers and the key. @throws NamedError "classroom-key-unusable" when no header can carry the key. */
export function createSendRoute(deps: {
  environment: { baseUrl: string; apiKey: string };
  dialect: Dialect;
  open: OpenExchange;
  clock: Clock;
  timeoutMs: number;
}): SendRoute {
  const { environment, dialect } = deps;
  const { header, scheme, query } = dialect.apiKey;
  const key = headerValue(scheme === "" ? environment.apiKey : `${scheme} ${environment.apiKey}`);

  function headersOf(contentType: string | null, withKey: boolean): Record<string, string> {
    const headers = new Headers({ accept: "application/json", "user-agent": "spaces-lti" });
    if (contentType !== null) headers.set("content-type", contentType);
    for (const [name, value] of Object.entries(dialect.headers)) headers.set(name, value);
    if (withKey) headers.set(header, key);
    return Object.fromEntries(headers);
  }

  /** @throws NamedError where a page's stored address is no longer of the service. */
  function requestOf(route: RouteDialect, values: TemplateValues, page: PageAsk | null) {
    const isLink = page?.kind === "link";
    const paged = valuesOfPage(values, isLink ? null : page, dialect.pages);
    const filled = fillRoute(environment.baseUrl, route, paged);
    if (!isLink) return filled;
    const url = linkedAddress(page.value, environment.baseUrl, filled.url);
    if (url === null) throw pageElsewhere();
    return { method: "GET", url, body: null, contentType: null };
  }

  return (route, values, options) => {
    const written = inTheirWords(dialect, route, values);
    const { contentType, ...request } = requestOf(route, written, options.page ?? null);
    const keyed = options.withoutKey !== true;
    const url = keyed && query !== null ? withParameter(request.url, query, environment.apiKey) : request.url;
    const headers = headersOf(contentType, keyed && query === null);
    return sendOnce(deps, { ...request, url, headers }, options.permit, options.signal);
  };
}

function pageElsewhere(): NamedError {
  return refusal("classroom-page-elsewhere");
}

function inTheirWords(dialect: Dialect, { words }: RouteDialect, values: TemplateValues): TemplateValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "string" ? (words[name]?.[value] ?? dialect.words[name]?.[value] ?? value) : value,
    ]),
  );
}

function withParameter(url: string, name: string, value: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}${new URLSearchParams([[name, value]]).toString()}`;
}

/** @throws NamedError "classroom-key-unusable" before an error of Node's could quote the key. */
function headerValue(key: string): string {
  if (/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(key)) return key;
  throw refusal("classroom-key-unusable");
}
