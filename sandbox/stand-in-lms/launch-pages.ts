// From: LTI Submission Review 1.0.
import { randomInt } from "node:crypto";
import type { Express, Request, Response } from "express";
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
  viewerOf,
} from "./pages.ts";

/** `/link/:id`, and `/link/:id/launch`, which begins the launch. `?container=embed|window|existing` overrides the link's container. */
export function mountLaunchPages(app: Express, lms: Lms): void {
  app.get("/link/:id", (request, response) => {
    const opened = openLink(lms, { request, response });
    if (opened === null) return;
    const { link, tool, viewer } = opened;
    const container = containerOf(request, link);
    if (container === "existing") {
      response.redirect(303, `/link/${link.id}/launch?container=existing`);
      return;
    }
    const body = activityBody(lms, viewer.course, { link, tool, container });
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

  // Where a tool sends people back to, with a message for them or for the log.
  app.get("/mod/lti/return.php", (request, response) => {
    const viewer = viewerOf(lms, request, response);
    if (viewer === null) return;
    const problem = fieldOf(request.query, "lti_errormsg");
    const message = fieldOf(request.query, "lti_msg");
    const course = fieldOf(request.query, "course");
    const body = html`${problem === "" ? null : html`<p role="alert">${problem}</p>`}
      ${message === "" ? null : html`<p role="status">${message}</p>`}
      <p><a class="button" href="/course/${course}" target="_top">Back to the course</a></p>`;
    response.type("html").send(page(lms, { title: "Back from the tool", person: viewer.person, body }));
  });
}

export function loginPage(lms: Lms, launch: BegunLaunch): string {
  const fields = lms.manners.loginFields(lms, launch);
  return loginMethodOf(lms) === "get"
    ? autoGetPage(launch.tool.loginUrl, fields)
    : autoPostPage(launch.tool.loginUrl, fields);
}

/** The third manners' choice of the two methods there are (LTI Security 1.0, 5.1.1.1) is an assumption, `loginIsGet`. */
function loginMethodOf({ manners, turned }: Lms): "get" | "post" {
  return manners.name === "other" && turned.has("loginIsGet") ? "post" : manners.loginMethod;
}

/** Course members open what is published; staff open everything. Else answers the request and returns null. */
function openLink(
  lms: Lms,
  exchange: Exchange,
): { link: Link; tool: Tool; viewer: Viewer & { course: Course } } | null {
  const { request, response } = exchange;
  const link = findLink(lms.world, pathValue(request, "id"));
  const tool = lms.world.tools.get(link?.toolId ?? "");
  if (link === undefined || tool?.state !== "active") {
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

export function beginLaunch(
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

function activityBody(
  lms: Lms,
  course: Course,
  what: { link: Link; tool: Tool; container: Container },
): Html {
  const { link, tool, container } = what;
  const back = html`<p class="row">
    <a href="/course/${course.id}">Back to ${course.shortname}</a>
    <span class="note"
      >Open it: <a href="/link/${link.id}?container=embed">in this page</a>,
      <a href="/link/${link.id}?container=window">in a new window</a>,
      <a href="/link/${link.id}?container=existing">in place of this page</a></span
    >
  </p>`;
  const address = `/link/${link.id}/launch?container=${container}`;
  if (container === "window") {
    return html`${back}
      <p>The activity opens in a new window. If none appeared, your browser has held it back:</p>
      <p><a class="button" href="${address}" target="_blank" id="open">Open ${link.title}</a></p>
      <script>
        window.open(document.getElementById("open").href, "lti-${link.id}");
      </script>
      ${lms.manners.besideFrame()}`;
  }
  return html`${back} ${toolFrame(lms, link.title, { address, tool })}`;
}

export function toolFrame(lms: Lms, title: string, what: { address: string; tool: Tool }): Html {
  const origin = URL.parse(what.tool.launchUrl)?.origin ?? "*";
  return html`<div class="frame600">
      <iframe
        class="tool"
        id="contentframe"
        title="${title}"
        src="${what.address}"
        allow="${lms.manners.frameAllow(origin)}"
        allowfullscreen
      ></iframe>
    </div>
    ${lms.manners.besideFrame()}`;
}

/** The course and the tool of an address. Else answers the request and returns null. */
export function toolInCourse(
  lms: Lms,
  exchange: Exchange,
  need: "open" | "teach",
): { viewer: Viewer & { course: Course }; tool: Tool } | null {
  const { request, response } = exchange;
  const viewer = courseViewerOf(lms, exchange, pathValue(request, "id"), need);
  if (viewer === null) return null;
  const tool = lms.world.tools.get(pathValue(request, "tool"));
  if (tool?.state === "active") return { viewer, tool };
  sendError(lms, response, 404, "There is no such tool.");
  return null;
}

/** A tool in a course's navigation (Canvas's `course_navigation`): a launch that belongs to no activity. */
export function mountNavigationPages(app: Express, lms: Lms): void {
  app.get("/course/:id/external_tools/:tool", (request, response) => {
    const found = toolInCourse(lms, { request, response }, "open");
    if (found === null) return;
    const { viewer, tool } = found;
    const { course, person } = viewer;
    const address = `/course/${course.id}/external_tools/${tool.id}/launch`;
    const body = html`<p><a href="/course/${course.id}">Back to ${course.shortname}</a></p>
      ${toolFrame(lms, tool.name, { address, tool })}`;
    response.type("html").send(page(lms, { title: tool.name, person, body }));
  });
  app.get("/course/:id/external_tools/:tool/launch", (request, response) => {
    const found = toolInCourse(lms, { request, response }, "open");
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
      history: [],
    };
    const what = { kind: "resource-link", course, link, tool, placement: "course_navigation" } as const;
    response.type("html").send(loginPage(lms, beginLaunch(lms, viewer, what, "embed")));
  });
}

const reviewSchema = z.looseObject({
  url: z.string().nullish(),
  custom: z.record(z.string(), z.string()).default({}),
});

/** From a gradebook cell to the tool's page about that learner, in a frame. */
export function mountReviewPages(app: Express, lms: Lms): void {
  const found = (request: Request, response: Response) => {
    const what = reviewOf(lms, request);
    if (what === null) {
      sendError(lms, response, 404, "There is nothing to review here.");
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
