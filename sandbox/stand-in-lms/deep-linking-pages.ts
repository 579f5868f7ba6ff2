// From: LTI Deep Linking 2.0, 4.4 and 4.5; contentitem_return.php, deep_linking_controller.rb.
import express, { type Express } from "express";
import { decodeJwt } from "jose";
import { z } from "zod";
import { html } from "../html.ts";
import { courseViewerOf, fieldOf, page, sendError } from "./pages.ts";
import { mountToolPages, toolInCourse } from "./launch-pages.ts";
import type { Lms } from "./lms.ts";
import { addLink, columnsOf } from "./lms-world.ts";
import type { Column, Course, Tool } from "./lms-records.ts";
import { lti } from "./lti-names.ts";

const itemSchema = z.looseObject({
  type: z.string(),
  title: z.string().default(""),
  url: z.string().nullish(),
  custom: z.record(z.string(), z.unknown()).default({}),
  lineItem: z
    .looseObject({
      scoreMaximum: z.number(),
      label: z.string().optional(),
      resourceId: z.string().default(""),
      tag: z.string().default(""),
      submissionReview: z.unknown().optional(),
    })
    .optional(),
  submission: z.looseObject({ endDateTime: z.string().optional() }).optional(),
});
type Item = z.output<typeof itemSchema>;

const deepLinking = "https://purl.imsglobal.org/spec/lti-dl/claim";

const responseSchema = z.looseObject({
  iss: z.string(),
  [lti.contentItems]: z.array(itemSchema).default([]),
});

/** Opens the tool's deep linking dialog in a frame and creates activities from its response: shorter than Moodle's form, same rules. */
export function mountDeepLinkingPages(app: Express, lms: Lms): void {
  mountToolPages(app, lms, "/course/:id/select-content/:tool", (exchange) => {
    const found = toolInCourse(lms, exchange, "teach");
    if (found === null) return null;
    const { course } = found.viewer;
    const placement = fieldOf(exchange.request.query, "placement");
    const back = html`<a href="/course/${course.id}">Back to ${course.shortname}</a>`;
    const what = { kind: "deep-linking", link: null, ...(placement === "" ? {} : { placement }) } as const;
    return { ...found, title: "Select content", back, what };
  });

  app.post(
    lms.manners.paths.contentReturn,
    express.urlencoded({ extended: false, limit: "1mb" }),
    async (request, response) => {
      const viewer = courseViewerOf(lms, { request, response }, fieldOf(request.query, "course"), "teach");
      if (viewer === null) return;
      const { course, session } = viewer;
      if (lms.manners.contentItems.framedOnly && request.get("sec-fetch-dest") === "document") {
        response
          .type("html")
          .send(
            page(lms, {
              title: "Content",
              person: viewer.person,
              body: html`<p>Successfully fetched tool configuration from content.</p>`,
            }),
          );
        return;
      }
      const problem =
        fieldOf(request.query, "sesskey") === session.sessionKey
          ? await takeItems(lms, course, fieldOf(request.query, "id"), fieldOf(request.body, "JWT"))
          : "Your session has most likely timed out. Please log in again.";
      if (problem !== null) {
        sendError(lms, response, 400, problem);
        return;
      }
      response.type("html")
        .send(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Done</title></head>
<body><p><a href="/course/${course.id}" target="_top">Back to the course</a></p>
<script>top.location.assign("/course/${course.id}");</script></body></html>`);
    },
  );
}

/** Null if everything is right, otherwise an explanation. */
async function takeItems(lms: Lms, course: Course, toolId: string, jwt: string): Promise<string | null> {
  const tool = lms.world.tools.get(toolId);
  if (tool === undefined) return "There is no such tool.";
  try {
    await lms.keysets.verify(tool, jwt);
  } catch (error) {
    lms.logger.warn({ tool: tool.id, reason: String(error) }, "a deep linking response was refused");
    return "The tool's answer is not signed by the tool.";
  }
  const parsed = responseSchema.safeParse(decodeJwt(jwt));
  if (!parsed.success) return "The tool's answer cannot be read.";
  if (parsed.data.iss !== tool.clientId) return "The tool's answer names another tool.";
  const problem = refusalOf(lms, parsed.data);
  if (problem !== null) return problem;
  for (const item of parsed.data[lti.contentItems]) makeLink(lms, course, tool, item);
  return null;
}

/** For a correctly signed response; null if everything is right. */
function refusalOf(lms: Lms, answer: z.output<typeof responseSchema>): string | null {
  const { deepLinkingData, contentItems } = lms.manners;
  if (deepLinkingData !== null && answer[`${deepLinking}/data`] !== deepLinkingData) {
    return "The tool's answer does not carry the data it was sent.";
  }
  const [first, second] = answer[lti.contentItems];
  const maximum = second === undefined ? first?.lineItem?.scoreMaximum : undefined;
  return contentItems.wholeMaximum && maximum !== undefined && !isGradeMaximum(maximum)
    ? "Invalid grade value. This must be an integer between 1 and 100"
    : null;
}

function isGradeMaximum(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 100;
}

/** Among several items, a wrong maximum becomes 100 in Moodle; in Canvas a new activity is not published yet. */
function makeLink(lms: Lms, course: Course, tool: Tool, item: Item): void {
  const { lineItem } = item;
  const { wholeMaximum, published } = lms.manners.contentItems;
  const wrong = lineItem === undefined || (wholeMaximum && !isGradeMaximum(lineItem.scoreMaximum));
  const maximum = wrong ? 100 : lineItem.scoreMaximum;
  const link = addLink(lms.world, course.id, {
    title: item.title === "" ? tool.name : item.title,
    graded: lineItem !== undefined,
    scoreMaximum: maximum,
    url: item.url ?? null,
    custom: Object.fromEntries(Object.entries(item.custom).map(([name, value]) => [name, String(value)])),
    container: "embed",
    toolId: tool.id,
    published,
  });
  const column = columnsOf(lms.world, course.id).find(({ coupledLinkId }) => coupledLinkId === link.id);
  if (column === undefined || lineItem === undefined) return;
  fillColumn(lms, column, item, lineItem);
}

function fillColumn(lms: Lms, column: Column, item: Item, lineItem: NonNullable<Item["lineItem"]>): void {
  const { columnNamedAfter, keepsDueDate } = lms.manners.contentItems;
  if (columnNamedAfter === "label") column.label = lineItem.label ?? column.label;
  const dueAt = item.submission?.endDateTime;
  if (keepsDueDate && dueAt !== undefined) column.dueAt = dueAt;
  column.resourceId = lineItem.resourceId;
  column.tag = lineItem.tag;
  column.submissionReview = lineItem.submissionReview;
}
