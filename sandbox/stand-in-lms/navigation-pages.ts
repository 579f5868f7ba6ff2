// Imitates nothing.
import type { Express, Request, Response } from "express";
import { errorPage, html, page } from "./html.ts";
import { beginLaunch, loginPage, toolFrame } from "./launch-pages.ts";
import type { Lms } from "./lms.ts";
import type { Link } from "./lms-records.ts";
import { courseViewerOf, pathValue } from "./page-access.ts";

/** A tool in a course's navigation (Canvas's `course_navigation`): a launch that belongs to no activity. */
export function mountNavigationPages(app: Express, lms: Lms): void {
  const opened = (request: Request, response: Response) => {
    const viewer = courseViewerOf(lms, { request, response }, pathValue(request, "id"), "open");
    if (viewer === null) return null;
    const tool = lms.world.tools.get(pathValue(request, "tool"));
    if (tool?.state === "active") return { viewer, tool };
    response.status(404).type("html").send(errorPage(lms, "There is no such tool."));
    return null;
  };
  app.get("/course/:id/external_tools/:tool", (request, response) => {
    const found = opened(request, response);
    if (found === null) return;
    const { viewer, tool } = found;
    const { course, person } = viewer;
    const address = `/course/${course.id}/external_tools/${tool.id}/launch`;
    const body = html`<p><a href="/course/${course.id}">Back to ${course.shortname}</a></p>
      ${toolFrame(lms, tool.name, { address, tool })}`;
    response.type("html").send(page(lms, { title: tool.name, person, body }));
  });
  app.get("/course/:id/external_tools/:tool/launch", (request, response) => {
    const found = opened(request, response);
    if (found === null) return;
    const { viewer, tool } = found;
    const { course } = viewer;
    const link: Link = {
      id: `navigation ${course.id}`,
      courseId: course.id,
      title: tool.name,
      url: null,
      custom: {},
      container: "embed",
      toolId: tool.id,
      published: true,
      allowedAttempts: null,
      history: [],
    };
    const what = { kind: "resource-link", course, link, tool, placement: "course_navigation" } as const;
    response.type("html").send(loginPage(lms, beginLaunch(lms, viewer, what, "embed")));
  });
}
