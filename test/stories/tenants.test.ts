import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/kernel/clock.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { openStores, type Stores } from "../../src/open-stores.ts";
import { nothingTurned } from "../../sandbox/assumptions.ts";
import { demoSeed } from "../../sandbox/demo-seed.ts";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { enterByCourseLink, openCourseLink } from "../../sandbox/open-course-link.ts";
import { type StandInLms, startStandInLms } from "../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { freePort } from "../../sandbox/tool-process.ts";
import { createVisitor, type Seen, type Visitor } from "../../sandbox/visitor.ts";
import { type Database, openDatabase } from "../../src/storage/open-database.ts";
import { sessionFolder, sessionIdIn } from "../../src/web/session-address.ts";
import { required } from "../support/required.ts";
import { patience } from "../support/patience.ts";
import { hiddenField } from "../support/browser/dialog.ts";
import { operatorAt, rightPassword } from "../support/tool/console-tool.ts";
import { addOwnClassroom, type OwnClassroom } from "../support/tool/institution-world.ts";
import { listedRoutes } from "../support/tool/routes.ts";
import { runCli } from "../support/tool/run-cli.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { collectionsByModel, kindsOn } from "../../src/storage/records.ts";

const biology = { course: "2", link: "1" };

/** A school with its LMS, its classroom and what a term leaves behind. */
type School = { id: string; lms: StandInLms; own: OwnClassroom; sessionTokens: string[] };

let world: DemoWorld;
let database: Database;
let stores: Stores;
let riverside: School;
let hill: School;
/** Texts in records of Hill College and in no others. */
let ofHill: Set<string>;
/** Ids in Hill College, by what they identify. */
let ids: Readonly<Record<string, string>>;

const operator = (...command: string[]): Promise<unknown> => runCli(world.variables, command);

/** Another school's: no name of a person or course is the same. */
const hillSeed = {
  ...demoSeed,
  name: "Hill College",
  courses: demoSeed.courses.map((course) => ({
    ...course,
    title: `Hillside ${course.title}`,
    shortname: `HILL-${course.shortname}`,
    sections: course.sections.map(({ id, name }) => ({ id, name: `Hillside ${name}` })),
    people: course.people
      .slice(0, 4)
      .map((person) => ({
        ...person,
        given: `Hill-${person.given}`,
        family: `Hill-${person.family}`,
        email: `hill-${person.email}`,
      })),
  })),
};

/** People enter, a class is held and graded, a recording and an alert follow. */
async function holdTerm(school: Omit<School, "sessionTokens">): Promise<string[]> {
  const { lms, own } = school;
  const teacher = await openCourseLink(createVisitor(), lms, "teacher1", biology.link, { framed: true });
  for (const person of ["student1", "student2"])
    await enterByCourseLink(createVisitor(), lms, person, biology.link);
  const { classroom } = own;
  const [space] = classroom.spaces();
  const login = classroom.authorizations().at(-1);
  const now = Date.now();
  const spaceId = space?.spaceId ?? "";
  const { eventId } = classroom.createEvent({
    spaceId,
    title: `Lesson of ${school.id}`,
    startsAt: now - 3_600_000,
    endsAt: now,
  });
  classroom.markAttendance({ eventId, userId: login?.userId ?? "", status: "LATE" });
  classroom.publishRecording({ spaceId, title: `Recording of ${school.id}` });
  classroom.raiseAlert({ alertType: "EVENT_NO_SHOW", eventId });
  await classroom.webhooksSettled();
  await vi.waitFor(() => {
    const { learners } = lms.gradebook(biology.course);
    expect(learners.flatMap(({ grades }) => grades.map(({ value }) => value))).toContain(80);
  }, patience);
  return [hiddenField(teacher, "session")];
}

const platforms = async () =>
  z
    .array(z.object({ id: z.string(), issuer: z.string(), name: z.string() }))
    .parse(await operator("platform", "list"));

beforeAll(async () => {
  world = await startWorld({ learners: 3, variables: { ADMIN_PASSWORD: rightPassword } });
  const lms = await startStandInLms({
    port: await freePort(0),
    clock: systemClock,
    logger: createLogger("silent"),
    seed: hillSeed,
    manners: "canvas",
    turned: nothingTurned,
  });
  const [first, second] = [
    await addOwnClassroom(world.variables, "riverside"),
    await addOwnClassroom(world.variables, "hill"),
  ];
  const { url } = z.object({ url: z.url() }).parse(await operator("invite", "--account", "hill"));
  await createVisitor().open(await lms.beginRegistration(url), { framed: true });

  const listed = await platforms();
  const hillId = listed.find(({ issuer }) => issuer === lms.url)?.id ?? "";
  const riversideId = listed.find(({ issuer }) => issuer !== lms.url)?.id ?? "";
  await operator("account", "bind", "riverside", "--registration", riversideId);
  database = await openDatabase({
    url: world.variables["DATABASE_URL"] ?? "",
    logger: createLogger("silent"),
  });
  stores = await openStores(database.connection);
  const [one, two] = [
    { id: riversideId, lms: world.lms, own: first },
    { id: hillId, lms, own: second },
  ];
  riverside = { ...one, sessionTokens: await holdTerm(one) };
  hill = { ...two, sessionTokens: await holdTerm(two) };
  for (const { id } of [riverside, hill]) await stores.registrations.set(id, { administratorsEnter: true });
  ({ ofHill, ids } = await readHill());
}, 240_000);
afterAll(async () => {
  await database.close();
  await Promise.all([riverside, hill].map(({ own }) => own.classroom.close()));
  await hill.lms.close();
  await world.close();
});

const row = z.looseObject({
  _id: z.string(),
  registrationId: z.string().nullish(),
  environment: z.string().nullish(),
});
type Row = z.infer<typeof row>;

/** All records, by the name of their kind. */
async function everything(): Promise<Map<string, Row[]>> {
  const found = new Map<string, Row[]>();
  for (const name of kindsOn(database.connection).keys()) {
    const rows = await collectionsByModel(database.connection)(name).find({}).toArray();
    found.set(
      name,
      rows.map((one) => row.parse(one)),
    );
  }
  return found;
}
const isOfHill = ({ _id, registrationId, environment }: Row) =>
  registrationId === hill.id || environment === "hill" || _id === hill.id || _id === "hill";

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsIn);
  return [];
}

/** Shorter texts, such as "2" or "LATE", identify nobody, nor do zones, which are in each list of zones. */
const minLength = 8;
const zones = new Set(Intl.supportedValuesOf("timeZone"));
/** Kinds and roles, such as "participant", are words of the code; whether another school's records have one yet is chance. */
const isWordOfCode = (text: string) => /^[a-z]+(-[a-z]+)*$/.test(text);

async function readHill() {
  const all = await everything();
  const rows = [...all.values()].flat();
  const others = new Set(rows.filter((one) => !isOfHill(one)).flatMap(textsIn));
  const texts = rows.filter(isOfHill).flatMap(textsIn);
  const only = texts.filter(
    (text) => text.length >= minLength && !others.has(text) && !zones.has(text) && !isWordOfCode(text),
  );
  const idOf = (name: string) => (all.get(name) ?? []).find(isOfHill)?._id ?? "";
  const course = (all.get("Course") ?? []).find(isOfHill);
  const named = {
    registration: hill.id,
    course: course?._id ?? "",
    person: idOf("Person"),
    receipt: idOf("Receipt"),
    delivery: idOf("Delivery"),
    alert: idOf("ClassroomAlert"),
    recording: hill.own.classroom.recordings()[0]?.recordingId ?? "",
    column: idOf("Column"),
    member: idOf("Member"),
    section: idOf("Section"),
    account: "hill",
    event: hill.own.classroom.events()[0]?.eventId ?? "",
    space: hill.own.classroom.spaces()[0]?.spaceId ?? "",
    user: hill.own.classroom.users()[0]?.userId ?? "",
    handle: sessionIdIn(hill.sessionTokens[0] ?? ""),
  };
  return { ofHill: new Set(only), ids: named };
}

/** What an answer contains of Hill College, besides what was requested. */
function foundIn(text: string, asked: readonly string[]): string[] {
  const rest = asked.reduce(
    (left, one) => left.replaceAll(one, "").replaceAll(encodeURIComponent(one), ""),
    text,
  );
  return [...ofHill].filter((one) => !asked.includes(one) && rest.includes(one));
}

const pathsOf = (method: string, beginning: string) =>
  listedRoutes
    .filter((one) => one.method === method && one.path.startsWith(beginning) && !one.path.includes("*"))
    .map(({ path }) => path);

/** Each address with what is found of Hill College there, one after another. */
async function walk(
  addresses: readonly { address: string; asked: readonly string[] }[],
  ask: (address: string) => Promise<Seen | { text: string; location?: string | null }>,
): Promise<string[]> {
  const told: string[] = [];
  for (const { address, asked } of addresses) {
    const { text, location = "" } = await ask(address);
    for (const one of foundIn(`${text} ${location ?? ""}`, asked)) told.push(`${address}: ${one}`);
  }
  return told;
}

describe("records of Hill College", { timeout: 120_000 }, () => {
  test("exist, of every kind that this test looks for", () => {
    expect(Object.entries(ids).filter(([, id]) => id === "")).toEqual([]);
    expect(ofHill.size).toBeGreaterThan(60);
    const texts = [...ofHill].join("\n");
    for (const known of ["College hill", "Hill-Tessa", "Hillside Biology", `Lesson of ${hill.id}`])
      expect(texts).toContain(known);
  });
  test("are found by an operator, so that the test can find something", async () => {
    const visitor = await operatorAt(world.toolUrl);
    const lists = ["/admin/courses", "/admin/registrations", "/admin/receipts", "/admin/deliveries"];
    for (const path of lists)
      expect([path, foundIn((await visitor.open(world.toolUrl + path)).text, []).length > 0]).toEqual([
        path,
        true,
      ]);
  });
});

describe("an administrator of Riverside College", { timeout: 240_000 }, () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = createVisitor();
    const page = await openCourseLink(visitor, riverside.lms, "admin", biology.link, { framed: true });
    const entered = await visitor.submit(page, { action: "/admin/lms" });
    expect(entered.status, entered.text).toBe(303);
  });

  const open = (address: string) => visitor.open(world.toolUrl + address);

  test("finds nothing of Hill College on any page of the console, whatever is requested", async () => {
    const paths = pathsOf("GET", "/admin").filter((path) => path !== "/admin/log-in/back");
    const all = Object.values(ids);
    const filled = paths.flatMap((path) =>
      path.includes(":")
        ? [...all, riverside.id].map((id) => ({
            address: path.replaceAll(/:\w+/g, encodeURIComponent(id)),
            asked: [id],
          }))
        : [
            { address: path, asked: [] },
            ...all.map((id) => ({ address: `${path}?${queryOf(id)}`, asked: [id] })),
          ],
    );
    expect(filled.length).toBeGreaterThan(400);
    expect(await walk(filled, open)).toEqual([]);
    // Still logged in: the test did not only see the login page.
    expect((await open(`/admin/registrations/${riverside.id}`)).status).toBe(200);
  });

  test("changes nothing of Hill College by any form of the console", async () => {
    const own = await open(`/admin/registrations/${riverside.id}`);
    const form = hiddenField(own, "form");
    expect(form).not.toBe("");
    const before = await stateOfHill();
    const told: string[] = [];
    for (const path of pathsOf("POST", "/admin/"))
      for (const id of path.includes(":") ? Object.values(ids) : [ids["registration"] ?? ""]) {
        if (path === "/admin/log-out" || path === "/admin/lms") continue;
        const address = path.replaceAll(/:\w+/g, encodeURIComponent(id));
        const url = world.toolUrl + address;
        const page = {
          status: 200,
          url,
          location: null,
          text: `<form method="post" action="${url}"></form>`,
        };
        const answer = await visitor.submit(page, {
          fields: { ...Object.fromEntries(namesOf(id)), ...deeds, form },
        });
        for (const one of foundIn(answer.text, [id])) told.push(`${address}: ${one}`);
      }
    expect(told).toEqual([]);
    expect(await stateOfHill()).toEqual(before);
    expect((await open(`/admin/registrations/${riverside.id}`)).status).toBe(200);
  });

  test("finds and changes nothing of Hill College on any page of their own course", async () => {
    const [token = ""] = riverside.sessionTokens;
    const folder = sessionFolder(sessionIdIn(token));
    const headers = { cookie: `v_${sessionIdIn(token)}=${token}`, "sec-fetch-site": "same-origin" };
    const before = await stateOfHill();
    const pages = pathsOf("GET", "/course/").map((path) => {
      const asked = Object.values(ids);
      return {
        address: `${path.replace(/^\/course/, folder)}?${String(new URLSearchParams(named()))}`,
        asked,
      };
    });
    const get = async (address: string) => {
      const answer = await fetch(world.toolUrl + address, { redirect: "manual", headers });
      return { text: await answer.text(), location: answer.headers.get("location") };
    };
    expect(await walk(pages, get)).toEqual([]);
    const forms = pathsOf("POST", "/course/").filter((path) => !/sign(ed)?-out/.test(path));
    const send = async (address: string) => {
      const body = new URLSearchParams({ ...deeds, ...named(), session: token });
      const answer = await fetch(world.toolUrl + address, {
        method: "POST",
        redirect: "manual",
        headers,
        body,
      });
      return { text: await answer.text(), location: answer.headers.get("location") };
    };
    expect(forms.length).toBeGreaterThan(60);
    const addresses = forms.map((address) => ({ address, asked: Object.values(ids) }));
    expect(await walk(addresses, send)).toEqual([]);
    expect(await stateOfHill()).toEqual(before);
    const home = await get(`${folder}/home`);
    expect(home.text).toContain("Biology 101");
  });

  test("opens no page of a Hill College session with their own proof", async () => {
    const [token = ""] = riverside.sessionTokens;
    const theirs = ids["handle"] ?? "";
    const cookie = `v_${sessionIdIn(token)}=${token}; v_${theirs}=${theirs}.${token.split(".")[1] ?? ""}`;
    // "Signed out" leads to the home page, which is among them.
    const paths = pathsOf("GET", "/course/").filter((path) => path !== "/course/signed-out");
    const addresses = paths.map((path) => ({
      address: path.replace(/^\/course/, sessionFolder(theirs)),
      // By design: anybody with the address of an ended session is led back to its course in the LMS.
      asked: [theirs, `${hill.lms.url}/course/2`, hill.lms.url],
    }));
    const answered: string[] = [];
    const get = async (address: string) => {
      const answer = await fetch(world.toolUrl + address, { redirect: "manual", headers: { cookie } });
      if (answer.status < 400)
        answered.push(`${address} ${answer.status} ${answer.headers.get("location") ?? ""}`);
      return { text: await answer.text() };
    };
    expect(await walk(addresses, get)).toEqual([]);
    expect(answered).toEqual([]);
  });
});

describe("a program of Riverside College", { timeout: 120_000 }, () => {
  const until = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const keyOf = async (school: School) => {
    const scope = "attendance:read,grades:read,people:read";
    const command = ["api-key", "add", "--registration", school.id, "--scope", scope, "--until", until];
    return z.object({ key: z.string(), id: z.string() }).parse(await operator(...command));
  };
  const ask = (address: string, key: string, method = "GET") =>
    fetch(world.toolUrl + address, { method, headers: { authorization: `Bearer ${key}` } });
  const paths = pathsOf("GET", "/api/v1/courses");
  const courseOf = async (key: string) => {
    const list = z.object({ data: z.array(z.object({ id: z.string() })) });
    return list.parse(await (await ask("/api/v1/courses", key)).json()).data[0]?.id ?? "";
  };

  test("reads its own college, at every address", async () => {
    const { key } = await keyOf(riverside);
    const id = await courseOf(key);
    for (const path of paths) {
      const answer = await ask(path.replace(":course", id), key);
      expect([path, answer.status, (await answer.text()).length > 30]).toEqual([path, 200, true]);
    }
  });

  test("finds nothing of Hill College, whose courses answer like those that don't exist", async () => {
    expect(await courseOf((await keyOf(hill)).key)).toBe(ids["course"]);
    const told: string[] = [];
    const read = async (address: string, key: string) => {
      const answer = await ask(address, key);
      return [answer.status, (await answer.text()).replace(/"request":"[^"]*"/, "")] as const;
    };
    for (const path of paths) {
      // One key may not send that many requests.
      const { key } = await keyOf(riverside);
      const nowhere = await read(path.replace(":course", "nowhere"), key);
      for (const id of Object.values(ids)) {
        const address = `${path.replace(":course", encodeURIComponent(id))}?${queryOf(id)}`;
        const answer = await read(address, key);
        told.push(...foundIn(answer[1], [id]).map((one) => `${path}: ${one}`));
        expect([address, ...answer]).toEqual([address, ...nowhere]);
        expect(answer[0]).toBe(path.includes(":course") ? 404 : 200);
      }
    }
    expect(told).toEqual([]);
  });

  test("ends with its key", async () => {
    const { key, id } = await keyOf(riverside);
    expect(await operator("api-key", "list", "--registration", riverside.id)).toContainEqual(
      expect.objectContaining({ id }),
    );
    await operator("api-key", "end", id);
    expect((await ask("/api/v1/courses", key)).status).toBe(401);
  });
});

/** Parameter names with which pages ask for something. */
const namesOf = (id: string): [string, string][] =>
  ["q", "lms", "course", "person", "before", "text", "registration", "account", "state", "id", "space"].map(
    (name) => [name, id],
  );
const queryOf = (id: string) => String(new URLSearchParams(namesOf(id)));

/** What pages and forms of a course ask for, with ids of Hill College. */
function named(): Record<string, string> {
  const {
    person = "",
    event = "",
    recording = "",
    alert = "",
    column = "",
    section = "",
    space = "",
    user = "",
  } = ids;
  return {
    person,
    event,
    recording,
    alert,
    column,
    section,
    space,
    user,
    learner: person,
    shown: event,
    key: column,
    old: column,
    known: space,
    match: user,
    id: event,
    course: ids["course"] ?? "",
    link: ids["course"] ?? "",
    before: ids["receipt"] ?? "",
    q: "Hill",
  };
}

/** Answers to questions in forms. */
const deeds = { to: "on", how: "overlap", status: "accepted", what: "roster", whom: "all", revision: "0" };

/** What Hill College's people would notice; queues and sessions change on their own. */
const lasting = [
  ["Registration", "ClassroomAccount", "Course", "CourseLink", "Person", "Member", "Attendance", "Column"],
  ["Delivery", "SpaceRight", "RegisteredSpace", "ClassroomEvent", "SpaceRecording", "InstitutionLook"],
  ["InstitutionDefaults", "Section", "SectionLink", "UserMatch", "SessionPlan"],
].flat();
async function stateOfHill(): Promise<string[]> {
  const all = await everything();
  return lasting.flatMap((name) =>
    required(all.get(name))
      .filter(isOfHill)
      .map((one) => JSON.stringify(one)),
  );
}
