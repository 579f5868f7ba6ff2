import { beforeEach, describe, expect, test } from "vitest";
import type { ListOptions } from "../../../src/classroom/create-reader.ts";
import type { MoreOfList } from "../../../src/domain/list-pages.ts";
import type { StandInClassroom } from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { classroomClient } from "../../support/stand-ins/classroom-client.ts";
import { json, service } from "./answering-service.ts";
import { quickClassroom } from "../../support/stand-ins/quick-classroom.ts";
import { required } from "../../support/required.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

const background = { priority: "background" } as const;

const clientOf = (apiUrl: string, dialect: object = {}) =>
  classroomClient({ apiUrl }, { dialect, apiKey: "the-key", patienceMs: 300 });

let classroom: StandInClassroom;
let spaceId: string;
/** A classroom with a Space that has 60 recordings. */
beforeEach(async () => {
  classroom = await quickClassroom({ apiKey: "the-key" });
  closedAfterTest(classroom);
  ({ spaceId } = await clientOf(classroom.apiUrl).createSpace(
    { name: "Algebra", access: "Public", waitingRoom: false },
    background,
  ));
  for (let minutes = 1; minutes <= 60; minutes += 1) classroom.publishRecording({ spaceId, minutes });
});

async function readIt(dialect: object = {}, from: MoreOfList | null = null) {
  const reply = await clientOf(classroom.apiUrl, dialect).readRecordings(spaceId, { ...background, from });
  if (reply === null) throw new Error("the classroom has no list");
  const { recordings, more, whole, failure } = reply;
  const ids = recordings.map(({ recordingId }) => recordingId);
  return { ids, number: new Set(ids).size, more, whole, failure };
}

const calls = () => classroom.calls().filter(({ operation }) => operation === "readRecordings").length;

const byNames = (query: Record<string, string>) => ({
  operations: {
    readRecordings: {
      routes: [{ method: "GET", path: "/spaces/recordings", query: { spaceId: "{spaceId}", ...query } }],
    },
  },
});
const named = {
  numbered: byNames({ pageNumber: "{page}", pageSize: "{pageSize}" }),
  page: byNames({ page: "{page}" }),
  offset: byNames({ offset: "{offset}" }),
  cursor: byNames({ cursor: "{cursor}" }),
};

describe("60 recordings in pages of 25", () => {
  test.each([
    ["next", {}],
    ["link", {}],
    ["numbered", named.numbered],
    ["page", named.page],
    ["offset", named.offset],
    ["cursor", named.cursor],
  ] as const)(
    "are all read with pages in the form %s, by link or by the dialect's parameter",
    async (manner, dialect) => {
      classroom.setPages({ manner, size: 25 });
      expect(await readIt(dialect)).toMatchObject({ number: 60, more: null, whole: true, failure: null });
      expect(calls()).toBe(3);
    },
  );

  test.each([
    ["numbered", 60],
    ["page", null],
    ["offset", 60],
    ["cursor", null],
  ] as const)(
    "are incomplete in the form %s if no route names the parameter, which is never guessed",
    async (manner, total) => {
      classroom.setPages({ manner, size: 25 });
      const more = { why: "no-way", read: 25, total, place: null };
      expect(await readIt()).toMatchObject({ number: 25, whole: false, more });
      expect(calls()).toBe(1);
    },
  );

  test("are read until an empty page if the service says nothing about pages", async () => {
    classroom.setPages({ manner: "numbered", size: 25 });
    const reply = { total: ["nowhere"], pages: ["nowhere"], size: ["nowhere"] };
    expect(await readIt({ ...named.numbered, pages: { reply } })).toMatchObject({ number: 60, more: null });
    const asked = classroom.calls().flatMap(({ query }) => query.pageNumber ?? []);
    expect(asked).toEqual(["1", "2", "3", "4"]);
  });

  test("are read in parts up to a limit, and the rest from there on", async () => {
    classroom.setPages({ manner: "next", size: 25 });
    const first = await readIt({ pages: { mostPages: 2 } });
    expect(first).toMatchObject({ number: 50, whole: false, more: { why: "bound", read: 50 } });
    const rest = await readIt({ pages: { mostPages: 2 } }, first.more);
    expect(rest).toMatchObject({ number: 10, more: null });
    expect(calls()).toBe(3);
  });
});

describe("a list that cannot be read to the end", () => {
  test("ends when pages repeat forever", async () => {
    for (const [manner, dialect] of [
      ["numbered", named.numbered],
      ["page", named.page],
      ["offset", named.offset],
      ["cursor", named.cursor],
      ["next", {}],
      ["link", {}],
    ] as const) {
      classroom.setPages({ manner, size: 25, fault: "repeats" });
      expect(await readIt(dialect), manner).toMatchObject({
        number: 25,
        whole: false,
        more: { why: "repeats" },
      });
    }
  });

  test("keeps what came before a page that fails, and where to continue", async () => {
    for (const fault of ["fails", "shape"] as const) {
      classroom.setPages({ manner: "numbered", size: 25, fault });
      const cut = await readIt(named.numbered);
      expect(cut).toMatchObject({ number: 25, whole: false, more: { why: "failed", read: 25, total: 60 } });
      expect(cut.failure).not.toBeNull();
      classroom.setPages({ manner: "numbered", size: 25 });
      expect(await readIt(named.numbered, cut.more)).toMatchObject({ number: 35, more: null });
    }
  });

  test("does not follow a next page to another host", async () => {
    classroom.setPages({ manner: "next", size: 25, fault: "elsewhere" });
    expect(await readIt()).toMatchObject({ number: 25, whole: false, more: { why: "elsewhere" } });
    expect(calls()).toBe(1);
  });

  test("is reported when fewer items come than the service's total", async () => {
    for (const manner of ["numbered", "offset"] as const) {
      classroom.setPages({ manner, size: 25, fault: "lies" });
      expect(await readIt(named[manner]), manner).toMatchObject({
        number: 60,
        whole: false,
        more: { why: "fewer", read: 60, total: 70 },
      });
    }
  });
});

/** A service that answers GET /attendance/e as the test decides. */
async function attendanceService(answer: (query: URLSearchParams) => unknown) {
  const { asked, client } = await service(({ url }, response) =>
    json(response, 200, answer(new URL(url, "http://here").searchParams)),
  );
  return {
    asked,
    read: (dialect: object = {}, options: ListOptions = background) =>
      client(dialect).readAttendance("e", options),
  };
}

/** The dialect names the parameter for pages. */
const paged = {
  operations: {
    readAttendance: { routes: [{ method: "GET", path: "/attendance/{eventId}", query: { page: "{page}" } }] },
  },
};

const people = (from: number, to: number, status = "PRESENT") =>
  Array.from({ length: to - from }, (_each, at) => ({ userId: `u${from + at}`, status }));

describe("attendance", () => {
  test("is as old as its first page, however long the others take: webhooks in between are newer", async () => {
    const told: string[] = [];
    const { asked, read } = await attendanceService((query) => {
      const page = Number(query.get("page") ?? 1);
      return { attendance: people(page, page + 1), page, totalPages: 3 };
    });
    await read(paged, { ...background, onPermit: () => void told.push(`after ${asked.length} pages`) });
    expect(asked).toHaveLength(3);
    expect(told).toEqual(["after 0 pages"]);
  });

  test("is complete, however long, if the reply does not mention pages", async () => {
    const { asked, read } = await attendanceService(() => ({ attendance: people(0, 100) }));
    expect(await read()).toMatchObject({ more: null });
    expect(asked).toHaveLength(1);
  });

  test("does not continue at a page with an endless address", async () => {
    const next = `/attendance/e?after=${"x".repeat(9_000)}`;
    const { read } = await attendanceService(() => ({ attendance: people(0, 2), next }));
    expect((await read()).more).toMatchObject({ why: "elsewhere", place: null });
  });

  test("without end is read some thousands at a time, and then given up", async () => {
    const { read } = await attendanceService((query) => {
      const page = Number(query.get("page") ?? 1);
      return { attendance: people(page * 3_000, page * 3_000 + 3_000), page, totalPages: 1_000_000 };
    });
    const first = (await read(paged)).more;
    expect(first).toMatchObject({ why: "bound", read: 6_000 });
    const from = { why: "bound" as const, read: 98_000, total: null, place: required(first?.place) };
    expect((await read(paged, { ...background, from })).more).toMatchObject({ why: "bound", place: null });
  });

  test("lists everybody once if the list changes meanwhile, with their last entry", async () => {
    const { read } = await attendanceService((query) =>
      query.get("page") === "2"
        ? { items: people(1, 4, "LATE"), page: 2, totalPages: 2 }
        : { items: people(0, 3), page: 1, totalPages: 2 },
    );
    const { entries, more } = await read(paged);
    expect(entries.map(({ userId, status }) => [userId, status])).toEqual([
      ["u0", "PRESENT"],
      ["u1", "LATE"],
      ["u2", "LATE"],
      ["u3", "LATE"],
    ]);
    expect(more).toBeNull();
  });

  test("is read from page 0 if the dialect says so, and by names in snake case", async () => {
    const { asked, read } = await attendanceService((query) => {
      const page = Number(query.get("page") ?? 0);
      return { meta: { total_pages: 3 }, data: people(page * 2, page * 2 + 2) };
    });
    expect((await read({ ...paged, pages: { first: 0 } })).entries).toHaveLength(6);
    expect(asked.map(({ url }) => url)).toEqual([
      "/attendance/e?page=0",
      "/attendance/e?page=1",
      "/attendance/e?page=2",
    ]);
  });

  test("is incomplete if nothing says how to request the rest", async () => {
    const { asked, read } = await attendanceService(() => ({ attendance: people(0, 25), total: 60 }));
    expect((await read()).more).toEqual({ why: "no-way", read: 25, total: 60, place: null });
    expect(asked).toHaveLength(1);
  });

  test("takes no number for a page except in the list's own words", async () => {
    const event = { number: 7, page: 3, total: 900, next: "/events/8" };
    const { asked, read } = await attendanceService(() => ({ event, attendance: people(0, 3) }));
    expect((await read()).more).toBeNull();
    expect(asked).toHaveLength(1);
  });

  test("is stored without the key, even if a page's address repeats it", async () => {
    const { asked, read } = await attendanceService((query) => {
      const page = Number(query.get("page") ?? 1);
      return { attendance: people(page * 2, page * 2 + 2), next: `?page=${page + 1}&key=the-key` };
    });
    const dialect = { apiKey: { query: "key" }, pages: { mostPages: 3 } };
    const { more } = await read(dialect);
    expect(more?.why).toBe("bound");
    expect(more?.place).not.toContain("the-key");
    expect(asked[2]?.url).toBe("/attendance/e?page=3&key=the-key");
  });
});
