// From: line_items_controller.rb, line_item.rb.
import { z } from "zod";
import { canvasAddresses } from "./canvas-claims.ts";
import { canvasError, pageLinks, pageOf } from "./canvas-call.ts";
import { canvasIds } from "./canvas-ids.ts";
import type { CanvasCall } from "./canvas-call.ts";
import { rescaleColumn } from "./gradebook.ts";
import { addColumn, columnsOf, deleteColumn } from "./lms-world.ts";
import type { Column, Link } from "./lms-records.ts";
import { lti } from "./lti-names.ts";
import { ownerOf, toolColumns } from "./service-access.ts";
import { parseJson } from "./service-answer.ts";
import type { ServiceAnswer } from "./service-answer.ts";

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

/** GET lists this tool's columns, ten a page; POST makes one, or joins the assignment of a link. */
export function answerCanvasLineItems(call: CanvasCall): ServiceAnswer {
  if (call.method === "GET") return list(call);
  if (call.method !== "POST") return canvasError(404, "not_found", "The specified resource does not exist.");
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
    // Only the oldest line item of an assignment has its place in the gradebook.
    joinedTo: assignment?.id ?? null,
    published: assignment?.published ?? !call.lms.turned.has("canvasColumnsArePublished"),
  });
  return answerItem(201, lineItemOf(call, column));
}

function unreadable(error: z.ZodError): ServiceAnswer {
  const [issue] = error.issues;
  if (issue?.path[0] === submissionType) {
    return {
      status: 400,
      type: "application/json; charset=utf-8",
      body: JSON.stringify({ error: `Invalid value for ${submissionType}: ${issue.path.join(".")}` }),
    };
  }
  return canvasError(
    400,
    "bad_request",
    `param is missing or the value is empty: ${issue?.path.join(".") ?? ""}`,
  );
}

function linkOf(
  { course, tool, lms }: CanvasCall,
  resourceLinkId: string | undefined,
): { link: Link | null } | { refusal: ServiceAnswer } {
  if (resourceLinkId === undefined) return { link: null };
  const everywhere = [...lms.world.courses.values()].flatMap(({ links }) => links);
  const link = everywhere.find(({ id }) => canvasIds.link(id) === resourceLinkId);
  if (link === undefined)
    return { refusal: canvasError(404, "not_found", "The specified resource does not exist.") };
  if (link.courseId !== course.id) {
    return {
      refusal: canvasError(412, "precondition_failed", "The resource link is of another context"),
    };
  }
  if (link.toolId !== tool.id) {
    return {
      refusal: canvasError(422, "unprocessable_entity", "The resource link is not one of this tool"),
    };
  }
  return { link };
}

function list(call: CanvasCall): ServiceAnswer {
  const { query, lms, course, tool } = call;
  const wanted = (name: string, value: string | null) => !query.has(name) || query.get(name) === value;
  // line_items_controller.rb, `index`: only line items of active assignments.
  const columns = toolColumns(lms, course.id, tool).filter(
    (column) =>
      column.deleted !== true &&
      wanted("resource_id", column.resourceId) &&
      wanted("tag", column.tag) &&
      wanted(
        "resource_link_id",
        column.resourceLinkId === null ? null : canvasIds.link(column.resourceLinkId),
      ),
  );
  const page = pageOf(call, columns);
  return {
    status: 200,
    type: `${lti.media.lineItems}; charset=utf-8`,
    headers: { link: pageLinks(canvasAddresses(lms.url, course.id).lineItems, query, page) },
    body: JSON.stringify(page.items.map((column) => lineItemOf(call, column))),
  };
}

/** GET, PUT and DELETE of one column; an assignment's own column cannot be deleted by its tool. */
export function answerCanvasLineItem(call: CanvasCall): ServiceAnswer {
  const found = canvasColumnOf(call);
  if ("refusal" in found) return found.refusal;
  const { column } = found;
  // line_items_controller.rb, `show`: the line item of a deleted assignment stays active, and is not found here.
  if (column.deleted === true) return canvasError(404, "not_found", "The specified resource does not exist.");
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

/** The column in the path, or Canvas's refusal: 404 unknown here, 412 another tool's. */
export function canvasColumnOf(call: CanvasCall): { column: Column } | { refusal: ServiceAnswer } {
  const column = call.lms.world.columns.get(call.columnId);
  if (column?.courseId !== call.course.id) {
    return { refusal: canvasError(404, "not_found", "The specified resource does not exist.") };
  }
  if (ownerOf(call.lms, column) !== call.tool.id) {
    return {
      refusal: canvasError(412, "precondition_failed", "Tool does not have permission to view line_item"),
    };
  }
  return { column };
}

function answerItem(status: number, item: Record<string, unknown>): ServiceAnswer {
  return { status, type: `${lti.media.lineItem}; charset=utf-8`, body: JSON.stringify(item) };
}

function lineItemOf(call: CanvasCall, column: Column): Record<string, unknown> {
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
