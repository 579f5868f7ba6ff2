import { beforeAll, describe, expect, test } from "vitest";
import { sessionFolder, sessionIdIn } from "../../src/web/session-address.ts";
import { hiddenField } from "../support/browser/dialog.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { listedRoutes } from "../support/tool/routes.ts";
import { claimsOf, startTinyWorld } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const pathsOf = (method: string, isWanted: (path: string) => boolean) =>
  listedRoutes.filter((route) => route.method === method && isWanted(route.path)).map(({ path }) => path);

/** Routes of the LMS, the classroom and the console, which other tests cover; showing /ended changes nothing. */
const isOthers = (path: string) => /^\/(admin|lti|webhooks)\b|^\/ended(\/production|\/staging)?$/.test(path);
const ofCourse = (path: string) => path.startsWith("/course/") && !path.includes("*");

let ina: Somebody;
let otto: Somebody;
/** Arranges the course and sees no grades: a designer, as Canvas calls them. */
let dora: Somebody;
const world = await forAllTests(startTinyWorld());
beforeAll(async () => {
  [ina, otto] = [await comes("ina"), await comes("otto", [learnerRole])];
  dora = await comes("dora", ["http://purl.imsglobal.org/vocab/lis/v2/membership#ContentDeveloper"]);
});

/** Somebody who opened the course link. `folder`: where pages of their session are. */
type Somebody = { token: string; folder: string };

async function comes(sub: string, roles?: readonly string[]): Promise<Somebody> {
  const claims = claimsOf({ sub, name: `${sub} Somebody`, course: "9", ...(roles && { roles }) });
  const page = await world.launch({ claims });
  const token = hiddenField(page, "session");
  return { token, folder: sessionFolder(sessionIdIn(token)) };
}

const cookieOf = ({ token }: Somebody) => `v_${sessionIdIn(token)}=${token}`;
const addressOf = ({ folder }: Somebody, path: string) => folder + path.replace(/^\/course/, "");

/** The status of the answer. */
async function asks(path: string, headers: Record<string, string>, body?: Record<string, string>) {
  const answer = await fetch(world.toolUrl + path, {
    redirect: "manual",
    headers: { accept: "text/html", ...headers },
    ...(body === undefined ? {} : { method: "POST", body: new URLSearchParams(body) }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Each path with its answer, one after another; limits of requests are not tested here. */
async function statusesOf(paths: readonly string[], ask: (path: string) => Promise<number>) {
  const statuses = new Map<string, number>();
  for (const path of paths) statuses.set(path, await ask(path));
  return statuses;
}

const otherThan = (statuses: ReadonlyMap<string, number>, expected: number) =>
  [...statuses].filter(([, status]) => status !== expected);

describe("every form of a page", () => {
  const forms = pathsOf("POST", (path) => !isOthers(path));

  test("is refused when another site sends it, even with its own session", async () => {
    expect(forms.length).toBeGreaterThan(60);
    const headers = { "sec-fetch-site": "cross-site" };
    const statuses = await statusesOf(forms, (path) => asks(path, headers, { session: ina.token }));
    expect(otherThan(statuses, 403)).toEqual([]);
  });

  test("of a course is refused at its address without the session, and with another one", async () => {
    const ofPages = forms.filter(ofCourse);
    expect(ofPages.length).toBeGreaterThan(60);
    const headers = { cookie: cookieOf(ina), "sec-fetch-site": "same-origin" };
    for (const body of [{}, { session: otto.token }]) {
      const statuses = await statusesOf(ofPages, (path) => asks(addressOf(ina, path), headers, body));
      expect(otherThan(statuses, 401), JSON.stringify(Object.keys(body))).toEqual([]);
    }
  });
});

describe("every page of a course", () => {
  const pages = pathsOf("GET", ofCourse);
  /** Their addresses name their subject; without one, they say so. */
  const aboutOne = [
    "/course/cohorts/choose",
    "/course/cohorts/difference",
    "/course/sessions/change",
    "/course/learner",
    "/course/grid/cell",
    "/course/cohorts/find",
    "/course/check-in/screen",
    "/course/analytics",
    "/course/people/join",
  ];
  const aboutRecordings = [
    "/course/recordings/open",
    "/course/recordings/text",
    "/course/recordings/text.txt",
  ];
  const learners = [
    "/course/calendar",
    "/course/calendar-file",
    "/course/check-in",
    "/course/guide/learner",
    "/course/home",
    "/course/my-mails",
    "/course/my-sessions",
    "/course/recordings",
  ];
  /** To the home while nobody has signed out; to the form while nothing is typed. */
  const typed = [
    "/course/grading/example",
    "/course/grading/preview",
    "/course/settings/preview",
    "/course/sessions/plan/dates",
    "/course/grid/import/difference",
  ];
  const leads = ["/course/signed-out", ...typed];
  /** Says only that the session exists. */
  const alive = ["/course/alive"];
  const shown = (who: Somebody) =>
    statusesOf(pages, (path) => asks(addressOf(who, path), { cookie: cookieOf(who) }));
  const expected = (usual: number, others: Record<number, readonly string[]>) => {
    const known = Object.entries(others).flatMap(([status, paths]) =>
      paths.map((path) => [path, Number(status)] as const),
    );
    return new Map([...pages.map((path) => [path, usual] as const), ...known]);
  };

  test("is shown only to the person that the browser proves, within their role", async () => {
    expect(pages.length).toBeGreaterThan(30);
    expect(await shown(ina)).toEqual(
      expected(200, { 204: alive, 303: leads, 404: [...aboutOne, ...aboutRecordings] }),
    );
    expect(await shown(otto)).toEqual(
      expected(403, { 200: learners, 204: alive, 303: ["/course/signed-out"], 404: aboutRecordings }),
    );
    const bare = await statusesOf(
      pages.filter((path) => path !== "/course/signed-out"),
      (path) => asks(addressOf(ina, path), {}),
    );
    expect(otherThan(bare, 401)).toEqual([]);
  });

  /** The answers to somebody who sends each form without a cookie, so that pages answer as well. */
  const sentBy = async (who: Somebody) => {
    const paths = pathsOf("POST", (path) => ofCourse(path) && !/sign(ed)?-out$|\/tab$/.test(path));
    return statusesOf(paths, (path) => asks(path, {}, { session: who.token }));
  };
  const refusedIn = (statuses: ReadonlyMap<string, number>) =>
    [...statuses].flatMap(([path, status]) => (status === 403 ? [path] : []));

  test("and every change is refused to learners, except their own", async () => {
    const sent = await sentBy(otto);
    const changes = ["/course/check-in/take", "/course/my-mails/change", "/course/my-sessions/say"];
    const own = [...learners, ...aboutRecordings, ...changes];
    expect(refusedIn(sent)).toEqual([...sent.keys()].filter((path) => !own.includes(path)));
  });

  test("and every change about attendance and grades is refused to course designers", async () => {
    const ofGrades =
      /^\/course\/((guide\/)?(attendance|grades|grading)|grid|register|learner|analytics|unmatched|unplanned|people\/join|copied$|check-in\/(screen|start|stop)$)/;
    for (const statuses of [await sentBy(dora), await shown(dora)])
      expect(refusedIn(statuses)).toEqual([...statuses.keys()].filter((path) => ofGrades.test(path)));
  });

  test("is not the answer to a form, which leads to a page or is refused", async () => {
    const answered: [string, number][] = [];
    let who = ina;
    for (const path of pathsOf("POST", ofCourse)) {
      if (answered.at(-1)?.[0].includes("sign-out") !== false) who = await comes("ina");
      const body = { session: who.token };
      answered.push([path, await asks(addressOf(who, path), { cookie: cookieOf(who) }, body)]);
    }
    expect(answered.length).toBeGreaterThan(60);
    expect(answered.filter(([, status]) => status !== 303 && status < 400)).toEqual([]);
  });

  test("says that the session has ended, once it has", async () => {
    const gone = await comes("gone");
    const body = { session: gone.token };
    expect(await asks(`${gone.folder}/sign-out`, { cookie: cookieOf(gone) }, body)).toBe(303);
    const statuses = await shown(gone);
    expect(statuses.get("/course/signed-out")).toBe(200);
    statuses.delete("/course/signed-out");
    expect(otherThan(statuses, 410)).toEqual([]);
  });
});
