// From: AGS 2.0, 3.2, 3.3 and 3.4 (limit, rel=next); order and pages are assumed.
import { z } from "zod";
import { findGrade, putGrade, rescaleColumn, toFiveDecimals } from "./gradebook.ts";
import type { Column, Grade } from "./lms-records.ts";
import { addColumn, deleteColumn, enrolmentOf } from "./lms-world.ts";
import { lti } from "./lti-names.ts";
import { otherAddresses, otherIds } from "./other-claims.ts";
import {
  columnsOfCall,
  jsonAnswer,
  ownerOf,
  parseJson,
  type ServiceAnswer,
  type ServiceCall,
} from "./services.ts";

export function otherError(status: number, message: string): ServiceAnswer {
  return jsonAnswer(status, { error: message }, { type: "application/json" });
}

/** One page of a list, with the address of the next in `link`; pages have `size` entries unless `limit` asks for fewer. */
export function otherPage<Item>(
  call: Pick<ServiceCall, "query">,
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
  return { items: items.slice(from, from + count), last, link: last ? [] : [`<${next.href}>;rel=next`] };
}

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

function readItem({ lms, body }: ServiceCall) {
  return (lms.quirks.openEdx ? openEdxSchema : itemSchema).safeParse(parseJson(body));
}

/** GET lists a tool's columns, POST creates one: as AGS 2.0 says, without peculiarities. */
export function answerOtherLineItems(call: ServiceCall): ServiceAnswer {
  return call.method === "GET" ? list(call) : create(call);
}

function list(call: ServiceCall): ServiceAnswer {
  const { lms, course } = call;
  const columns = columnsOfCall(call, otherIds.link);
  const newestFirst = lms.turned.has("columnsInOrder");
  const listed = newestFirst ? columns.toReversed() : columns;
  const page = otherPage(call, otherAddresses(lms.url, course.id).lineItems, listed, newestFirst ? 1 : 25);
  const items = page.items.map((column) => itemOf(call, column));
  return jsonAnswer(200, items, { type: lti.media.lineItems, ...headersOf(page) });
}

export function headersOf({ link }: { link: readonly string[] }): { headers?: { link: string } } {
  return link.length === 0 ? {} : { headers: { link: link.join(", ") } };
}

function create(call: ServiceCall): ServiceAnswer {
  if (call.method !== "POST") return otherError(405, "Method not allowed.");
  const sent = readItem(call);
  if (!sent.success) return otherError(400, "label and scoreMaximum are required.");
  const { resourceLinkId, label, scoreMaximum, resourceId, tag, submissionReview } = sent.data;
  const link = call.course.links.find(({ id }) => otherIds.link(id) === resourceLinkId);
  if (resourceLinkId != null && link?.toolId !== call.tool.id)
    // Open edX: serializers.py, UsageKeyField.
    return otherError(call.lms.quirks.openEdx ? 400 : 404, "No such resource link.");
  const owner = { resourceLinkId: link?.id ?? null, toolId: call.tool.id };
  const item = { label, scoreMaximum, resourceId, tag, submissionReview, ...owner };
  return answerItem(201, call, addColumn(call.lms.world, call.course.id, item));
}

/** PUT replaces everything except the link. */
export function answerOtherLineItem(call: ServiceCall): ServiceAnswer {
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

/** The column in the path, or a refusal: 404 if unknown here, 403 if another tool's. */
export function otherColumnOf(call: ServiceCall): { column: Column } | { refusal: ServiceAnswer } {
  const column = call.lms.world.columns.get(call.columnId);
  if (column?.courseId !== call.course.id) return { refusal: otherError(404, "There is no such column.") };
  if (ownerOf(call.lms, column) !== call.tool.id) {
    return { refusal: otherError(403, "The column is another tool's.") };
  }
  return { column };
}

function answerItem(status: number, call: ServiceCall, column: Column): ServiceAnswer {
  return jsonAnswer(status, itemOf(call, column), { type: lti.media.lineItem });
}

function itemOf(call: ServiceCall, column: Column): Record<string, unknown> {
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

const scoreSchema = z
  .looseObject({
    userId: z.string(),
    timestamp: z.iso.datetime({ offset: true }),
    activityProgress: z.enum(["Initialized", "Started", "InProgress", "Submitted", "Completed"]),
    gradingProgress: z.enum(["FullyGraded", "Pending", "PendingManual", "Failed", "NotReady"]),
    scoreGiven: z.number().nonnegative().nullish(),
    scoreMaximum: z.number().positive().nullish(),
    comment: z.string().nullish(),
  })
  .refine(({ scoreGiven, scoreMaximum }) => scoreGiven == null || scoreMaximum != null);

/** As in AGS 2.0: no `scoreGiven` clears, a score that is not final is only noted, a time not later than the last is 409. */
export function answerOtherScores(call: ServiceCall): ServiceAnswer {
  if (call.method !== "POST") return otherError(405, "Method not allowed.");
  const found = otherColumnOf(call);
  if ("refusal" in found) return found.refusal;
  const sent = scoreSchema.safeParse(parseJson(call.body));
  if (!sent.success) return otherError(400, "The score cannot be read.");
  const { column } = found;
  const score = sent.data;
  const personId = otherIds.numberOf(score.userId);
  if (enrolmentOf(call.course, personId)?.role !== "student") return otherError(400, "No such learner.");
  const earlier = findGrade(call.lms.world, column.id, personId);
  if (earlier !== undefined && Date.parse(score.timestamp) / 1000 <= earlier.modifiedAt) {
    return otherError(409, "A later score is known.");
  }
  const final = score.gradingProgress === "FullyGraded" || score.scoreGiven == null;
  if (final) putGrade(call.lms.world, gradeAfter(score, column, personId, earlier));
  // Open edX: plugin/views.py, LtiAgsLineItemViewset.scores.
  if (call.lms.quirks.openEdx) return { status: 201, type: "application/json", body: call.body };
  return call.lms.turned.has("scoresAnswerNothing")
    ? jsonAnswer(200, { accepted: true }, { type: "application/json" })
    : { status: 204, type: "application/json", body: "" };
}

/** A teacher's own grade is kept. */
function gradeAfter(
  { timestamp, scoreGiven, scoreMaximum, comment }: z.output<typeof scoreSchema>,
  column: Column,
  personId: string,
  earlier: Grade | undefined,
): Grade {
  const scale = column.scoreMaximum / (scoreMaximum ?? 1);
  const raw = scoreGiven == null ? null : toFiveDecimals(scoreGiven * scale);
  return {
    columnId: column.id,
    personId,
    raw,
    final: earlier?.overridden === true ? earlier.final : raw,
    feedback: comment ?? null,
    overridden: earlier?.overridden ?? false,
    attempts: 0,
    modifiedAt: Date.parse(timestamp) / 1000,
    listedWhenEmpty: false,
  };
}

export function answerOtherResults(call: ServiceCall): ServiceAnswer {
  const found = otherColumnOf(call);
  if ("refusal" in found) return found.refusal;
  const { column } = found;
  const user = call.query.get("user_id");
  const url = otherAddresses(call.lms.url, call.course.id).lineItem(column.id);
  const results = [...call.lms.world.grades.values()]
    .filter(({ columnId, final }) => columnId === column.id && final !== null)
    .filter(({ personId }) => user === null || personId === otherIds.numberOf(user))
    .map(({ personId, final, feedback }) => ({
      id: url.replace("?", `/results/${personId}?`),
      scoreOf: url,
      userId: otherIds.person(personId),
      ...(call.lms.turned.has("resultsNameMaximum")
        ? { resultScore: (final ?? 0) / column.scoreMaximum }
        : { resultScore: final, resultMaximum: column.scoreMaximum }),
      comment: feedback,
    }));
  return jsonAnswer(200, results, { type: lti.media.results });
}
