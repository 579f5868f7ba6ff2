// From: AGS 2.0 and NRPS 2.0 (limit, rel=next).
import type { Lms } from "./lms.ts";
import type { Course, Tool } from "./lms-records.ts";
import type { ServiceAnswer } from "./service-answer.ts";

export type OtherCall = {
  lms: Lms;
  method: string;
  query: URLSearchParams;
  body: string;
  tool: Tool;
  course: Course;
  columnId: string;
};

export function otherError(status: number, message: string): ServiceAnswer {
  return { status, type: "application/json", body: JSON.stringify({ error: message }) };
}

/** One page of a list, with the address of the next in `link`; pages hold `size` unless `limit` asks for fewer. */
export function otherPage<Item>(
  call: Pick<OtherCall, "query">,
  url: string,
  items: readonly Item[],
  size: number,
): { items: readonly Item[]; last: boolean; link: string[] } {
  const limit = Number(call.query.get("limit") ?? size);
  const count = Number.isInteger(limit) && limit > 0 ? Math.min(limit, size) : size;
  const from = Number(call.query.get("skip") ?? 0) || 0;
  const last = from + count >= items.length;
  const next = new URL(url);
  for (const [name, value] of call.query) next.searchParams.set(name, value);
  next.searchParams.set("skip", String(from + count));
  return {
    items: items.slice(from, from + count),
    last,
    link: last ? [] : [`<${next.href}>;rel=next`],
  };
}
