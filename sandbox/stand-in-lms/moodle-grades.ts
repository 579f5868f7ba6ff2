// From: gradebookservices.php, services.php, measured.
import { z } from "zod";
import { rescaleColumn } from "./gradebook.ts";
import type { Column, Grade, Tool } from "./lms-records.ts";
import { addColumn, deleteColumn, findLink } from "./lms-world.ts";
import type { Lms } from "./lms.ts";
import { lti } from "./lti-names.ts";
import { moodleAddresses } from "./moodle-claims.ts";
import {
  columnsOfCall,
  jsonAnswer,
  ownerOf,
  parseJson,
  type ServiceAnswer,
  type ServiceCall,
} from "./services.ts";

export type MoodleCall = ServiceCall & {
  /** Path and query as received. */
  url: string;
  accept: string;
  /** Without parameters such as charset. */
  contentType: string;
};

/** Whether an Accept header asks for nothing in particular. */
export function anyMedia(accept: string): boolean {
  return accept === "" || accept === "*/*";
}

/** As in services.php: the reason is in the status line and in the body. */
export function moodleError(
  call: Pick<MoodleCall, "method" | "url" | "accept" | "contentType">,
  status: number,
  reason: string,
): ServiceAnswer {
  const { method, url, accept, contentType } = call;
  const body = { status, reason, request: { method, url, accept, contentType } };
  return jsonAnswer(status, body, { reason: reason.trim() });
}

/** What nginx turns a PHP response with HTTP status 0 into: for labels that are too long and user ids that are not numbers. */
export const moodleBadGateway: ServiceAnswer = {
  status: 502,
  type: "text/html",
  body: "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n",
};

export function columnOfCall(call: MoodleCall): { column: Column } | { refusal: ServiceAnswer } {
  const column = call.lms.world.columns.get(call.columnId);
  if (column?.courseId !== call.course.id) {
    return { refusal: moodleError(call, 404, `Not Found: Grade item ${call.columnId} doesn't exist`) };
  }
  if (ownerOf(call.lms, column) !== call.tool.id) return { refusal: moodleError(call, 403, "Forbidden") };
  return { column };
}

/** A column's address, query included. */
export function columnUrl(lms: Lms, column: Column, tool: Tool): string {
  return moodleAddresses(lms.url, column.courseId, tool.id).lineItem(column.id);
}

const { media } = lti;

/** What Moodle reads of a line item; it accepts any number as maximum, including zero and negative ones. */
const lineItemSchema = z.looseObject({
  label: z.string(),
  scoreMaximum: z.number(),
  resourceId: z.string().default(""),
  tag: z.string().default(""),
  resourceLinkId: z.coerce.string().optional(),
  submissionReview: z.unknown().optional(),
});

/** GET lists this tool's columns, filtered and paged; POST creates one, including duplicates. */
export function answerLineItems(call: MoodleCall): ServiceAnswer {
  const unsupported =
    call.method === "GET" ? call.accept !== media.lineItems : call.contentType !== media.lineItem;
  if (unsupported) return moodleError(call, 400, "No context or unsupported content type");
  return call.method === "GET" ? listLineItems(call) : createLineItem(call);
}

function listLineItems(call: MoodleCall): ServiceAnswer {
  const columns = columnsOfCall(call, (linkId) => linkId);
  const { items, limit, from } = moodlePage(call, columns);
  return jsonAnswer(
    200,
    items.map((column) => lineItemOf(call, column)),
    {
      type: `${media.lineItems}; charset=utf-8`,
      ...(limit > 0 ? { headers: { link: linksOf(call, { limit, from, total: columns.length }) } } : {}),
    },
  );
}

/** Everything, unless `limit` asks for less. */
export function moodlePage<Item>({ query }: ServiceCall, all: readonly Item[]) {
  const limit = Number(query.get("limit") ?? 0);
  const from = Number(query.get("from") ?? 0);
  return { items: limit > 0 ? all.slice(from, from + limit) : all, limit, from };
}

/** The Link header of paged line items as Moodle writes it: typographic quotes, and `&` escaped as in HTML. */
function linksOf(call: MoodleCall, page: { limit: number; from: number; total: number }): string {
  const { limit, from, total } = page;
  const base = moodleAddresses(call.lms.url, call.course.id, call.tool.id).lineItems;
  const link = (start: number, relation: string) =>
    `<${base}&amp;limit=${limit}&amp;from=${start}>; rel=“${relation}”`;
  return [
    link(0, "first"),
    ...(from > 0 ? [link(Math.max(0, from - limit), "prev")] : []),
    link(from, "canonical"),
    ...(from + limit < total ? [link(from + limit, "next")] : []),
    link(Math.max(0, total - (total % limit) - 1), "last"),
  ].join(", ");
}

function createLineItem(call: MoodleCall): ServiceAnswer {
  const { lms, tool, course } = call;
  const read = readLineItem(call);
  if ("refusal" in read) return read.refusal;
  const { item, sent } = read;
  const { label, scoreMaximum, resourceId, tag, resourceLinkId = null, submissionReview } = item;
  const own = { label, scoreMaximum, resourceId, tag, resourceLinkId, submissionReview, toolId: tool.id };
  const column = addColumn(lms.world, course.id, own);
  return answerItem(201, { ...sent, id: columnUrl(lms, column, tool) });
}

/** GET, PUT (replaces everything: omitted fields become empty) and DELETE (even of a coupled column). */
export function answerLineItem(call: MoodleCall): ServiceAnswer {
  const found = columnOfCall(call);
  if ("refusal" in found) return found.refusal;
  const { column } = found;
  if (call.method === "DELETE") {
    deleteColumn(call.lms.world, column.id);
    return { status: 204, reason: "OK", type: "text/html; charset=utf-8", body: "" };
  }
  if (call.method === "PUT") return replaceLineItem(call, column);
  if (call.accept !== media.lineItem) return moodleError(call, 400, "No context or unsupported content type");
  return answerItem(200, lineItemOf(call, column));
}

function replaceLineItem(call: MoodleCall, column: Column): ServiceAnswer {
  const read = readLineItem(call);
  if ("refusal" in read) return read.refusal;
  const { item, sent } = read;
  const { label, scoreMaximum, resourceId, tag, resourceLinkId = null, submissionReview } = item;
  Object.assign(column, { label, resourceId, tag, resourceLinkId, submissionReview });
  rescaleColumn(call.lms.world, column, scoreMaximum, call.lms.clock.now());
  return answerItem(200, { ...sent, id: columnUrl(call.lms, column, call.tool) });
}

type ReadLineItem =
  | { item: z.output<typeof lineItemSchema>; sent: Record<string, unknown> }
  | { refusal: ServiceAnswer };

function readLineItem(call: MoodleCall): ReadLineItem {
  const json = parseJson(call.body);
  const sent = z.record(z.string(), z.unknown()).safeParse(json);
  const item = lineItemSchema.safeParse(json);
  if (!sent.success || !item.success) return { refusal: moodleError(call, 400, "No label or Score Maximum") };
  if (item.data.label.length > 255) return { refusal: moodleBadGateway };
  const linkId = item.data.resourceLinkId;
  if (linkId !== undefined) {
    const link = findLink(call.lms.world, linkId);
    if (link?.courseId !== call.course.id || link.toolId !== call.tool.id) {
      return { refusal: moodleError(call, 403, "Forbidden") };
    }
  }
  return { item: item.data, sent: sent.data };
}

function answerItem(status: number, item: Record<string, unknown>): ServiceAnswer {
  return jsonAnswer(status, item, { type: `${media.lineItem}; charset=utf-8` });
}

function lineItemOf(call: MoodleCall, column: Column): Record<string, unknown> {
  const { label, scoreMaximum, resourceId, tag, resourceLinkId, submissionReview } = column;
  return {
    id: columnUrl(call.lms, column, call.tool),
    label,
    scoreMaximum,
    resourceId,
    tag,
    ...(resourceLinkId === null ? {} : { resourceLinkId, ltiLinkId: resourceLinkId }),
    ...(submissionReview === undefined ? {} : { submissionReview }),
  };
}

/** GET of a column's results: the grades that count now, including the teacher's value. `limit` breaks Moodle: 404 and HTML. */
export function answerResults(call: MoodleCall): ServiceAnswer {
  const found = columnOfCall(call);
  if ("refusal" in found) return found.refusal;
  if (call.query.has("limit")) {
    return {
      status: 404,
      reason: "Not Found",
      type: "text/html; charset=utf-8",
      body: '<!DOCTYPE html>\n<html lang="en"><head><title>Error</title></head><body><p>Error reading from database</p></body></html>',
    };
  }
  const { column } = found;
  const itemUrl = columnUrl(call.lms, column, call.tool);
  const resultsUrl = itemUrl.replace("/lineitem?", "/lineitem/results?");
  const asked = call.query.get("user_id");
  const results = [...call.lms.world.grades.values()]
    .filter((grade) => grade.columnId === column.id && (asked === null || grade.personId === asked))
    .map((grade) => (call.lms.quirks.zeroUnreported && grade.final === 0 ? { ...grade, final: null } : grade))
    .filter((grade) => grade.final !== null || grade.listedWhenEmpty)
    .map((grade) => ({
      id: `${resultsUrl}&user_id=${grade.personId}`,
      userId: grade.personId,
      ...valueOf(grade, grade.rawMaximum ?? column.scoreMaximum, itemUrl),
    }));
  return jsonAnswer(200, results, { type: `${media.results}; charset=utf-8` });
}

/**
 * A person with an empty grade is listed with only an id. The score is in the column's present points, the maximum is that of the last
 * write (gradebookservices.php, `result_for_json`: `finalgrade` and `rawgrademax`).
 */
function valueOf(grade: Grade, resultMaximum: number, scoreOf: string): Record<string, unknown> {
  if (grade.final === null) return {};
  return {
    resultScore: grade.final,
    resultMaximum,
    ...(grade.feedback === null ? {} : { comment: grade.feedback }),
    scoreOf,
    timestamp: new Date(grade.modifiedAt * 1000).toISOString().replace(".000Z", "+00:00"),
  };
}
