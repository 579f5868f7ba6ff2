// From: LTI Submission Review 1.0.
import type { Express, Request, Response } from "express";
import { z } from "zod";
import { errorPage, html, page } from "./html.ts";
import { beginLaunch, loginPage, toolFrame } from "./launch-pages.ts";
import type { Lms } from "./lms.ts";
import { findLink } from "./lms-world.ts";
import type { Column, Link, Person, Tool } from "./lms-records.ts";
import { courseViewerOf, pathValue } from "./page-access.ts";

const reviewSchema = z.looseObject({
  url: z.string().nullish(),
  custom: z.record(z.string(), z.string()).default({}),
});

/** From a gradebook cell to the tool's page about that learner, in a frame. */
export function mountReviewPages(app: Express, lms: Lms): void {
  const found = (request: Request, response: Response) => {
    const what = reviewOf(lms, request);
    if (what === null) {
      response.status(404).type("html").send(errorPage(lms, "There is nothing to review here."));
      return null;
    }
    const viewer = courseViewerOf(lms, { request, response }, what.link.courseId, "teach");
    return viewer === null ? null : { ...what, viewer };
  };

  app.get("/review/:column/:person", (request, response) => {
    const opened = found(request, response);
    if (opened === null) return;
    const { column, person, tool, viewer } = opened;
    const address = `/review/${column.id}/${person.id}/launch`;
    const title = `${column.label}: ${person.given} ${person.family}`;
    const body = html`<p><a href="/course/${viewer.course.id}/gradebook">Back to the gradebook</a></p>
      ${toolFrame(lms, title, { address, tool })}`;
    response.type("html").send(page(lms, { title, person: viewer.person, body }));
  });

  app.get("/review/:column/:person/launch", (request, response) => {
    const opened = found(request, response);
    if (opened === null) return;
    const { column, link, person, tool, viewer } = opened;
    const review = reviewSchema.parse(column.submissionReview);
    const launch = beginLaunch(
      lms,
      viewer,
      {
        kind: "submission-review",
        course: viewer.course,
        link,
        tool,
        review: { person, url: review.url ?? null, custom: review.custom },
      },
      "embed",
    );
    response.type("html").send(loginPage(lms, launch));
  });
}

export function isReviewable(lms: Lms, columnId: string): boolean {
  const column = lms.world.columns.get(columnId);
  return column?.resourceLinkId != null && reviewSchema.safeParse(column.submissionReview).success;
}

function reviewOf(
  lms: Lms,
  request: Request,
): { column: Column; link: Link; person: Person; tool: Tool } | null {
  const column = lms.world.columns.get(pathValue(request, "column"));
  const person = lms.world.people.get(pathValue(request, "person"));
  const link = findLink(lms.world, column?.resourceLinkId ?? "");
  const tool = lms.world.tools.get(link?.toolId ?? "");
  if (column === undefined || person === undefined || link === undefined) return null;
  if (tool?.state !== "active" || !isReviewable(lms, column.id)) return null;
  return { column, link, person, tool };
}
