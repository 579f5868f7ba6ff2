// From: AGS 2.0, 3.2; order and pages are assumed.
import { z } from "zod";
import { rescaleColumn } from "./gradebook.ts";
import { addColumn, deleteColumn } from "./lms-world.ts";
import type { Column } from "./lms-records.ts";
import { lti } from "./lti-names.ts";
import { otherError, otherPage } from "./other-call.ts";
import type { OtherCall } from "./other-call.ts";
import { otherAddresses, otherIds } from "./other-names.ts";
import { ownerOf, toolColumns } from "./service-access.ts";
import { parseJson } from "./service-answer.ts";
import type { ServiceAnswer } from "./service-answer.ts";

const itemSchema = z.looseObject({
  label: z.string().trim().min(1),
  scoreMaximum: z.number().positive(),
  resourceId: z.string().default(""),
  tag: z.string().default(""),
  resourceLinkId: z.string().nullish(),
  submissionReview: z.unknown().optional(),
});

/** As in Open edX: models.py, LtiAgsLineItem (label 100, tag 50, whole points); serializers.py, validate. */
const openEdxSchema = itemSchema
  .extend({
    label: z.string().trim().min(1).max(100),
    scoreMaximum: z.number().int(),
    tag: z.string().max(50).default(""),
  })
  .refine(({ resourceId, resourceLinkId }) => resourceId !== "" || resourceLinkId != null);

function readItem({ lms, body }: OtherCall) {
  return (lms.quirks.openEdx ? openEdxSchema : itemSchema).safeParse(parseJson(body));
}

/** GET lists a tool's columns, POST makes one: as AGS 2.0 says, without oddities. */
export function answerOtherLineItems(call: OtherCall): ServiceAnswer {
  return call.method === "GET" ? list(call) : create(call);
}

function list(call: OtherCall): ServiceAnswer {
  const { query, lms, course, tool } = call;
  const wanted = (name: string, value: string | null) => !query.has(name) || query.get(name) === value;
  const columns = toolColumns(lms, course.id, tool).filter(
    ({ resourceId, tag, resourceLinkId }) =>
      wanted("resource_id", resourceId) &&
      wanted("tag", tag) &&
      wanted("resource_link_id", resourceLinkId === null ? null : otherIds.link(resourceLinkId)),
  );
  const newestFirst = lms.turned.has("columnsInOrder");
  const listed = newestFirst ? columns.toReversed() : columns;
  const page = otherPage(call, otherAddresses(lms.url, course.id).lineItems, listed, newestFirst ? 1 : 25);
  return {
    status: 200,
    type: lti.media.lineItems,
    ...(page.link.length === 0 ? {} : { headers: { link: page.link.join(", ") } }),
    body: JSON.stringify(page.items.map((column) => itemOf(call, column))),
  };
}

function create(call: OtherCall): ServiceAnswer {
  if (call.method !== "POST") return otherError(405, "Method not allowed.");
  const sent = readItem(call);
  if (!sent.success) return otherError(400, "label and scoreMaximum are required.");
  const { resourceLinkId, ...item } = sent.data;
  const link = call.course.links.find(({ id }) => otherIds.link(id) === resourceLinkId);
  if (resourceLinkId != null && link?.toolId !== call.tool.id)
    // Open edX: serializers.py, UsageKeyField.
    return otherError(call.lms.quirks.openEdx ? 400 : 404, "No such resource link.");
  const column = addColumn(call.lms.world, call.course.id, {
    label: item.label,
    scoreMaximum: item.scoreMaximum,
    resourceId: item.resourceId,
    tag: item.tag,
    submissionReview: item.submissionReview,
    resourceLinkId: link?.id ?? null,
    toolId: call.tool.id,
  });
  return answerItem(201, call, column);
}

/** PUT replaces all but the link. */
export function answerOtherLineItem(call: OtherCall): ServiceAnswer {
  const found = otherColumnOf(call);
  if ("refusal" in found) return found.refusal;
  const { column } = found;
  if (call.method === "DELETE") {
    deleteColumn(call.lms.world, column.id);
    return { status: 204, type: "application/json", body: "" };
  }
  if (call.method === "PUT") {
    const sent = readItem(call);
    if (!sent.success) return otherError(400, "label and scoreMaximum are required.");
    const { label, resourceId, tag, submissionReview, scoreMaximum } = sent.data;
    Object.assign(column, { label, resourceId, tag, submissionReview });
    rescaleColumn(call.lms.world, column, scoreMaximum, call.lms.clock.now());
  }
  return answerItem(200, call, column);
}

/** The column in the path, or a refusal: 404 unknown here, 403 another tool's. */
export function otherColumnOf(call: OtherCall): { column: Column } | { refusal: ServiceAnswer } {
  const column = call.lms.world.columns.get(call.columnId);
  if (column?.courseId !== call.course.id) return { refusal: otherError(404, "There is no such column.") };
  if (ownerOf(call.lms, column) !== call.tool.id) {
    return { refusal: otherError(403, "The column is another tool's.") };
  }
  return { column };
}

function answerItem(status: number, call: OtherCall, column: Column): ServiceAnswer {
  return { status, type: lti.media.lineItem, body: JSON.stringify(itemOf(call, column)) };
}

function itemOf(call: OtherCall, column: Column): Record<string, unknown> {
  const { label, scoreMaximum, resourceId, tag, resourceLinkId, submissionReview } = column;
  return {
    id: otherAddresses(call.lms.url, call.course.id).lineItem(column.id),
    label,
    scoreMaximum,
    resourceId: resourceId === "" ? null : resourceId,
    tag: tag === "" ? null : tag,
    ...(resourceLinkId === null ? {} : { resourceLinkId: otherIds.link(resourceLinkId) }),
    ...(submissionReview === undefined ? {} : { submissionReview }),
  };
}
