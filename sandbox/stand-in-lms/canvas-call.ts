// From: lti_services.rb; the size of pages is assumed.
import type { Lms } from "./lms.ts";
import type { Course, Tool } from "./lms-records.ts";
import type { ServiceAnswer } from "./service-answer.ts";

export type CanvasCall = {
  lms: Lms;
  method: string;
  query: URLSearchParams;
  body: string;
  tool: Tool;
  course: Course;
  /** Empty where the path has none. */
  columnId: string;
};

export function canvasError(status: number, type: string, message: string): ServiceAnswer {
  return {
    status,
    type: "application/json; charset=utf-8",
    body: JSON.stringify({ errors: { type, message } }),
  };
}

/** Of one page; Canvas's is well-formed, with absolute addresses. */
export function pageLinks(
  url: string,
  query: URLSearchParams,
  page: { number: number; more: boolean },
): string {
  const link = (number: number, relation: string) => {
    const parameters = new URLSearchParams(query);
    parameters.set("page", String(number));
    return `<${url}?${parameters.toString()}>; rel="${relation}"`;
  };
  return [
    link(page.number, "current"),
    ...(page.more ? [link(page.number + 1, "next")] : []),
    link(1, "first"),
  ].join(",");
}

/** Ten entries (assumption `canvasPagesOfTen`) unless `limit` or `per_page` asks for another number, at most 100. */
export function pageOf<Item>(
  { lms, query }: Pick<CanvasCall, "lms" | "query">,
  items: readonly Item[],
): { number: number; more: boolean; items: readonly Item[] } {
  const usual = lms.turned.has("canvasPagesOfTen") ? 100 : 10;
  const asked = Number(query.get("limit") ?? query.get("per_page") ?? usual);
  const size = Number.isInteger(asked) && asked > 0 ? Math.min(asked, 100) : usual;
  const number = Math.max(1, Math.floor(Number(query.get("page") ?? 1)) || 1);
  const from = (number - 1) * size;
  return { number, more: from + size < items.length, items: items.slice(from, from + size) };
}
