// From: LTI Submission Review 1.0.
import { randomInt } from "node:crypto";
import type { Express, Request } from "express";
import { z } from "zod";
import { html, type Html } from "../html.ts";
import type { Column, Container, Course, Link, Person, Tool } from "./lms-records.ts";
import { findLink, teaches } from "./lms-world.ts";
import type { BegunLaunch, Lms } from "./lms.ts";
import {
  autoGetPage,
  autoPostPage,
  courseViewerOf,
  type Exchange,
  fieldOf,
  page,
  pathValue,
  sendError,
  type Viewer,
} from "./pages.ts";

/** `/link/:id`, and `/link/:id/launch`, which starts the launch. `?container=embed|window|existing` overrides the link's container. */
export function mountLaunchPages(app: Express, lms: Lms): void {
  app.get("/link/:id", (request, response) => {
    const opened = openLink(lms, { request, response });
    if (opened === null) return;
    const { link, tool, viewer } = opened;
    const container = containerOf(request, link);
    if (container !== "embed") {
      response.redirect(303, `/link/${link.id}/launch?container=${container}`);
      return;
    }
    const body = activityBody(lms, viewer.course, link, tool);
    response.type("html").send(page(lms, { title: link.title, person: viewer.person, body }));
  });

  app.get("/link/:id/launch", (request, response) => {
    const opened = openLink(lms, { request, response });
    if (opened === null) return;
    const { link, tool, viewer } = opened;
    const launch = beginLaunch(
      lms,
      viewer,
      { link, tool, course: viewer.course, kind: "resource-link" },
      containerOf(request, link),
    );
    response.type("html").send(loginPage(lms, launch));
  });
}

function loginPage(lms: Lms, launch: BegunLaunch): string {
  const fields = lms.manners.loginFields(lms, launch);
  return loginMethodOf(lms) === "get"
    ? autoGetPage(launch.tool.loginUrl, fields)
    : autoPostPage(launch.tool.loginUrl, fields);
}

/** Which of the two possible methods (LTI Security 1.0, 5.1.1.1) the third LMS uses is an assumption, `loginIsGet`. */
function loginMethodOf({ manners, turned }: Lms): "get" | "post" {
  return manners.name === "other" && turned.has("loginIsGet") ? "post" : manners.loginMethod;
}

/** Course members open what is published; staff open everything. Otherwise it responds to the request and returns null. */
function openLink(
  lms: Lms,
  exchange: Exchange,
): { link: Link; tool: Tool; viewer: Viewer & { course: Course } } | null {
  const { request, response } = exchange;
  const link = findLink(lms.world, pathValue(request, "id"));
  const tool = lms.world.tools.get(link?.toolId ?? "");
  if (link === undefined || tool === undefined) {
    sendError(lms, response, 404, "There is no such activity, or no tool for it yet.");
    return null;
  }
  const viewer = courseViewerOf(lms, exchange, link.courseId, "open");
  if (viewer === null) return null;
  if (link.published || teaches(viewer.course, viewer.person)) return { link, tool, viewer };
  sendError(lms, response, 403, "This activity has not been published yet.");
  return null;
}

function containerOf(request: Request, link: Link): Container {
  const asked = fieldOf(request.query, "container");
  return asked === "embed" || asked === "window" || asked === "existing" ? asked : link.container;
}

function beginLaunch(
  lms: Lms,
  viewer: Viewer,
  what: Pick<BegunLaunch, "kind" | "course" | "link" | "tool"> &
    Partial<Pick<BegunLaunch, "review" | "placement">>,
  container: Container,
): BegunLaunch {
  const { session, person } = viewer;
  const number = randomInt(2 ** 31);
  const id = `ltilaunch${what.link?.id ?? ""}_${number}`;
  const launch: BegunLaunch = {
    review: null,
    ...what,
    id,
    person,
    container,
    sessionKey: session.sessionKey,
  };
  lms.launches.begin(launch);
  return launch;
}

function activityBody(lms: Lms, course: Course, link: Link, tool: Tool): Html {
  return html`<p class="row">
      <a href="/course/${course.id}">Back to ${course.shortname}</a>
      <span class="note"
        >Open it: <a href="/link/${link.id}?container=embed">in this page</a>,
        <a href="/link/${link.id}?container=window" target="_blank">in a new window</a>,
        <a href="/link/${link.id}?container=existing">in place of this page</a></span
      >
    </p>
    ${toolFrame(lms, link.title, { address: `/link/${link.id}/launch?container=embed`, tool })}`;
}

function toolFrame(lms: Lms, title: string, what: { address: string; tool: Tool }): Html {
  const origin = URL.parse(what.tool.launchUrl)?.origin ?? "*";
  return html`<div class="frame600">
      <iframe
        class="tool"
        id="contentframe"
        title="${title}"
        src="${what.address}"
        allow="${lms.manners.frameAllow(origin, lms.quirks)}"
        allowfullscreen
      ></iframe>
    </div>
    ${lms.manners.besideFrame(lms.quirks)}`;
}

/** The course and the tool of an address. Otherwise it responds to the request and returns null. */
export function toolInCourse(
  lms: Lms,
  exchange: Exchange,
  need: "open" | "teach",
): { viewer: Viewer & { course: Course }; tool: Tool } | null {
  const { request, response } = exchange;
  const viewer = courseViewerOf(lms, exchange, pathValue(request, "id"), need);
  if (viewer === null) return null;
  const tool = lms.world.tools.get(pathValue(request, "tool"));
  if (tool !== undefined) return { viewer, tool };
  sendError(lms, response, 404, "There is no such tool.");
  return null;
}

/** What opens a tool: its page with a frame, and the launch inside. */
type Opened = {
  viewer: Viewer & { course: Course };
  tool: Tool;
  title: string;
  back: Html;
  what: Pick<BegunLaunch, "kind" | "link"> & Partial<Pick<BegunLaunch, "review" | "placement">>;
};

/** A page at `path` that frames what `open` returns, and the launch at `path`/launch. If `open` returns null, it has responded itself. */
export function mountToolPages(
  app: Express,
  lms: Lms,
  path: string,
  open: (exchange: Exchange) => Opened | null,
): void {
  app.get(path, (request, response) => {
    const opened = open({ request, response });
    if (opened === null) return;
    const { viewer, tool, title, back } = opened;
    const { pathname, search } = new URL(request.originalUrl, lms.url);
    const body = html`<p>${back}</p>
      ${toolFrame(lms, title, { address: `${pathname}/launch${search}`, tool })}`;
    response.type("html").send(page(lms, { title, person: viewer.person, body }));
  });
  app.get(`${path}/launch`, (request, response) => {
    const opened = open({ request, response });
    if (opened === null) return;
    const { viewer, tool, what } = opened;
    const launch = beginLaunch(lms, viewer, { course: viewer.course, tool, ...what }, "embed");
    response.type("html").send(loginPage(lms, launch));
  });
}

/** A tool in a course's navigation (Canvas's `course_navigation`): a launch that belongs to no activity. */
export function mountNavigationPages(app: Express, lms: Lms): void {
  mountToolPages(app, lms, "/course/:id/external_tools/:tool", (exchange) => {
    const found = toolInCourse(lms, exchange, "open");
    if (found === null) return null;
    const { course } = found.viewer;
    const link: Link = {
      id: `navigation ${course.id}`,
      courseId: course.id,
      title: found.tool.name,
      url: null,
      custom: found.tool.menuCustom,
      container: "embed",
      published: true,
      history: [],
      toolId: found.tool.id,
    };
    const back = html`<a href="/course/${course.id}">Back to ${course.shortname}</a>`;
    const what = { kind: "resource-link", link, placement: "course_navigation" } as const;
    return { ...found, title: found.tool.name, back, what };
  });
}

const reviewSchema = z.looseObject({
  url: z.string().nullish(),
  custom: z.record(z.string(), z.string()).default({}),
});

/** From a gradebook cell to the tool's page about that learner, in a frame. */
export function mountReviewPages(app: Express, lms: Lms): void {
  mountToolPages(app, lms, "/review/:column/:person", ({ request, response }) => {
    const found = reviewOf(lms, request);
    if (found === null) {
      sendError(lms, response, 404, "There is nothing to review here.");
      return null;
    }
    const { column, link, person, tool } = found;
    const viewer = courseViewerOf(lms, { request, response }, link.courseId, "teach");
    if (viewer === null) return null;
    const { url = null, custom } = reviewSchema.parse(column.submissionReview);
    const back = html`<a href="/course/${viewer.course.id}/gradebook">Back to the gradebook</a>`;
    const title = `${column.label}: ${person.given} ${person.family}`;
    const what = { kind: "submission-review", link, review: { person, url, custom } } as const;
    return { viewer, tool, title, back, what };
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
  if (column === undefined || person === undefined || link === undefined || tool === undefined) return null;
  if (!isReviewable(lms, column.id)) return null;
  return { column, link, person, tool };
}
