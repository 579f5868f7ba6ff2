// From: line_items_controller.rb, line_item.rb, results_controller.rb, result.rb.
import { z } from "zod";
import { canvasAddresses, canvasIds } from "./canvas-claims.ts";
import { rescaleColumn } from "./gradebook.ts";
import type { Column, Grade, Link } from "./lms-records.ts";
import { addColumn, columnsOf, deleteColumn } from "./lms-world.ts";
import { lti } from "./lti-names.ts";
import {
  columnsOfCall,
  jsonAnswer,
  ownerOf,
  parseJson,
  type ServiceAnswer,
  type ServiceCall,
} from "./services.ts";

export function canvasError(status: number, type: string, message: string): ServiceAnswer {
  return jsonAnswer(status, { errors: { type, message } });
}

export function notFound(): ServiceAnswer {
  return canvasError(404, "not_found", "The specified resource does not exist.");
}

export function unprocessable(message: string): ServiceAnswer {
  return canvasError(422, "unprocessable_entity", message);
}

/** Of one page; Canvas's header is well-formed, with absolute addresses. */
export function pageLinks(
  url: string,
  query: URLSearchParams,
  { first, current, next }: { first: string; current: string; next: string | null },
): string {
  const link = (page: string, relation: string) => {
    const parameters = new URLSearchParams(query);
    parameters.set("page", page);
    return `<${url}?${parameters.toString()}>; rel="${relation}"`;
  };
  return [
    link(current, "current"),
    ...(next === null ? [] : [link(next, "next")]),
    link(first, "first"),
  ].join(",");
}

/** Ten entries (assumption `canvasPagesOfTen`) unless `limit` or `per_page` asks for another number, at most 100. */
function pageAnswer<Item>(
  { lms, query }: ServiceCall,
  items: readonly Item[],
  { url, type, write }: { url: string; type: string; write: (item: Item) => unknown },
): ServiceAnswer {
  const usual = lms.turned.has("canvasPagesOfTen") ? 100 : 10;
  const asked = Number(query.get("limit") ?? query.get("per_page") ?? usual);
  const size = Number.isInteger(asked) && asked > 0 ? Math.min(asked, 100) : usual;
  const number = Math.max(1, Math.floor(Number(query.get("page") ?? 1)) || 1);
  const from = (number - 1) * size;
  const next = from + size < items.length ? String(number + 1) : null;
  return jsonAnswer(200, items.slice(from, from + size).map(write), {
    type: `${type}; charset=utf-8`,
    headers: { link: pageLinks(url, query, { first: "1", current: String(number), next }) },
  });
}

const submissionType = "https://canvas.instructure.com/lti/submission_type";

const itemSchema = z.looseObject({
  label: z.string(),
  scoreMaximum: z.number(),
  resourceId: z.string().default(""),
  tag: z.string().default(""),
  resourceLinkId: z.string().optional(),
  endDateTime: z.string().optional(),
  [submissionType]: z
    .looseObject({ type: z.enum(["none", "external_tool"]), external_tool_url: z.string().optional() })
    .optional(),
});

/** GET lists this tool's columns, ten a page; POST creates one, or joins the assignment of a link. */
export function answerCanvasLineItems(call: ServiceCall): ServiceAnswer {
  if (call.method === "GET") return list(call);
  if (call.method !== "POST") return notFound();
  const item = itemSchema.safeParse(parseJson(call.body));
  if (!item.success) return unreadable(item.error);
  const { label, scoreMaximum, resourceId, tag, resourceLinkId, endDateTime: dueAt } = item.data;
  const found = linkOf(call, resourceLinkId);
  if ("refusal" in found) return found.refusal;
  const { link } = found;
  const assignment = columnsOf(call.lms.world, call.course.id).find(
    ({ resourceLinkId: linked }) => link !== null && linked === link.id,
  );
  const column = addColumn(call.lms.world, call.course.id, {
    label,
    scoreMaximum,
    resourceId,
    tag,
    resourceLinkId: link?.id ?? null,
    toolId: call.tool.id,
    ...(dueAt === undefined ? {} : { dueAt }),
    // Only the oldest line item of an assignment has its own place in the gradebook.
    joinedTo: assignment?.id ?? null,
    published: assignment?.published ?? !call.lms.turned.has("canvasColumnsArePublished"),
  });
  return answerItem(201, lineItemOf(call, column));
}

function unreadable(error: z.ZodError): ServiceAnswer {
  const [issue] = error.issues;
  const path = issue?.path.join(".") ?? "";
  return issue?.path[0] === submissionType
    ? jsonAnswer(400, { error: `Invalid value for ${submissionType}: ${path}` })
    : canvasError(400, "bad_request", `param is missing or the value is empty: ${path}`);
}

function linkOf(
  { course, tool, lms }: ServiceCall,
  resourceLinkId: string | undefined,
): { link: Link | null } | { refusal: ServiceAnswer } {
  if (resourceLinkId === undefined) return { link: null };
  const everywhere = [...lms.world.courses.values()].flatMap(({ links }) => links);
  const link = everywhere.find(({ id }) => canvasIds.link(id) === resourceLinkId);
  if (link === undefined) return { refusal: notFound() };
  if (link.courseId !== course.id)
    return { refusal: canvasError(412, "precondition_failed", "The resource link is of another context") };
  if (link.toolId !== tool.id) return { refusal: unprocessable("The resource link is not one of this tool") };
  return { link };
}

function list(call: ServiceCall): ServiceAnswer {
  // line_items_controller.rb, `index`: only line items of active assignments.
  const columns = columnsOfCall(call, canvasIds.link).filter(({ deleted }) => deleted !== true);
  return pageAnswer(call, columns, {
    url: canvasAddresses(call.lms.url, call.course.id).lineItems,
    type: lti.media.lineItems,
    write: (column) => lineItemOf(call, column),
  });
}

/** GET, PUT and DELETE of one column; an assignment's own column cannot be deleted by its tool. */
export function answerCanvasLineItem(call: ServiceCall): ServiceAnswer {
  const found = canvasColumnOf(call);
  if ("refusal" in found) return found.refusal;
  const { column } = found;
  // line_items_controller.rb, `show`: the line item of a deleted assignment is still active, but is not found here.
  if (column.deleted === true) return notFound();
  if (call.method === "DELETE") {
    if (column.coupledLinkId !== null)
      return canvasError(401, "unauthorized", "The column belongs to an assignment");
    deleteColumn(call.lms.world, column.id);
    return { status: 204, type: "application/json", body: "" };
  }
  if (call.method === "PUT") {
    const item = itemSchema.partial().safeParse(parseJson(call.body));
    if (!item.success) return canvasError(400, "bad_request", "The line item cannot be read");
    column.label = item.data.label ?? column.label;
    column.tag = item.data.tag ?? column.tag;
    column.resourceId = item.data.resourceId ?? column.resourceId;
    if (item.data.endDateTime !== undefined) column.dueAt = item.data.endDateTime;
    const maximum = item.data.scoreMaximum;
    if (maximum !== undefined) rescaleColumn(call.lms.world, column, maximum, call.lms.clock.now());
  }
  return answerItem(200, lineItemOf(call, column));
}

/** The column in the path, or Canvas's refusal: 404 if unknown here, 412 if another tool's. */
export function canvasColumnOf(call: ServiceCall): { column: Column } | { refusal: ServiceAnswer } {
  const column = call.lms.world.columns.get(call.columnId);
  if (column?.courseId !== call.course.id) return { refusal: notFound() };
  if (ownerOf(call.lms, column) === call.tool.id) return { column };
  const message = "Tool does not have permission to view line_item";
  return { refusal: canvasError(412, "precondition_failed", message) };
}

function answerItem(status: number, item: Record<string, unknown>): ServiceAnswer {
  return jsonAnswer(status, item, { type: `${lti.media.lineItem}; charset=utf-8` });
}

function lineItemOf(call: ServiceCall, column: Column): Record<string, unknown> {
  const { label, scoreMaximum, resourceId, tag, resourceLinkId } = column;
  return {
    id: canvasAddresses(call.lms.url, call.course.id).lineItem(column.id),
    scoreMaximum,
    label,
    ...(resourceId === "" ? {} : { resourceId }),
    ...(tag === "" ? {} : { tag }),
    ...(resourceLinkId === null ? {} : { resourceLinkId: canvasIds.link(resourceLinkId) }),
  };
}

/** The tool's score, as it sent it; a teacher's grade in the same scale (result.rb, `scaled_result_score`: not if a side is 0). */
function scoreOf(grade: Grade, points: number): { resultScore: number | null; resultMaximum: number } {
  const { final, sent, overridden } = grade;
  if (final === null || sent === undefined)
    return { resultScore: final, resultMaximum: sent?.maximum ?? points };
  const { given, maximum } = sent;
  const scaled = points === 0 || maximum === 0 ? final : (final * maximum) / points;
  return { resultScore: overridden ? scaled : given, resultMaximum: maximum };
}

/** GET of results: only people that the tool has ever scored, paged like everything; nothing shows who is excused. */
export function answerCanvasResults(call: ServiceCall): ServiceAnswer {
  const found = canvasColumnOf(call);
  if ("refusal" in found) return found.refusal;
  const { column } = found;
  const url = canvasAddresses(call.lms.url, call.course.id).lineItem(column.id);
  const user = call.query.get("user_id");
  const grades = [...call.lms.world.grades.values()].filter(
    ({ columnId, personId, listedWhenEmpty }) =>
      columnId === column.id && listedWhenEmpty && (user === null || canvasIds.numberOf(user) === personId),
  );
  return pageAnswer(call, grades, {
    url: `${url}/results`,
    type: lti.media.results,
    write: (grade) => ({
      id: `${url}/results/${grade.personId}`,
      userId: canvasIds.person(grade.personId),
      ...scoreOf(grade, column.scoreMaximum),
      ...(grade.feedback === null ? {} : { comment: grade.feedback }),
      scoreOf: url,
    }),
  });
}
