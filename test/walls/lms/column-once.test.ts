import { beforeEach, describe, expect, test } from "vitest";
import { attendanceColumn } from "../../../src/modules/grading/rules/column.ts";
import { findLineItem } from "../../../src/modules/grading/find-line-item.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createTranslator } from "../../../src/web/translate.ts";
import { folderForTest } from "../../support/folders.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openStores } from "../../../src/open-stores.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import {
  allGradeScopes,
  type Reply,
  type ServiceLms,
  startServiceLms,
} from "../../support/stand-ins/service-lms.ts";
import { keptCourse } from "../../support/builders/launched-course.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

type Item = Record<string, unknown> & { id: string };

let lms: ServiceLms;
let folder: string;

beforeEach(async () => {
  lms = await startServiceLms();
  folder = await folderForTest();
  closedAfterTest(lms);
});

/** One process of the tool, with its own connection to the same store. */
async function openProcess() {
  const database = await openDatabase({ url: `file:${folder}`, logger: createLogger("silent") });
  const stores = await openStores(database.connection);
  closedAfterTest(database);
  const { registration, lineItems } = lms;
  const course = keptCourse({
    registrationId: registration.id,
    lineItemsUrl: `${lms.url}/2/lineitems?type_id=1`,
    gradesLink: { linkId: "1", lineItemsUrl: `${lms.url}/2/lineitems?type_id=1` },
    gradeScopes: allGradeScopes,
  });
  const key = { registrationId: registration.id, courseId: course.id, key: attendanceColumn };
  return async () => {
    const { policy } = course;
    if (policy.kind !== "one-column") throw new Error("the default policy has a column");
    const column = await stores.columns.open(key, randomIds.id("col"));
    const given = { lineItems, clock: systemClock, ids: randomIds, translatorOf: createTranslator() };
    const deps = { ...stores, ...given };
    return findLineItem(deps, registration, course, policy, column);
  };
}

/** A gradebook; `lost` decides for each creation whether its answer gets lost. */
function gradebook(items: Item[], lost: () => boolean): void {
  lms.state.answer = ({ method, url, body }): Reply | "cut" => {
    if (method === "GET") {
      const wanted = new URL(url, lms.url).searchParams.get("resource_id");
      return { body: items.filter((item) => wanted === null || item["resourceId"] === wanted) };
    }
    const asked: unknown = JSON.parse(body);
    const made: Item = {
      ...(typeof asked === "object" ? asked : {}),
      id: `${lms.url}/2/lineitems/${items.length + 1}/lineitem?type_id=1`,
    };
    items.push(made);
    return lost() ? "cut" : { status: 201, body: made };
  };
}

describe("the attendance column", () => {
  test("is created once for forty scores at the same moment in two processes", async () => {
    const items: Item[] = [];
    gradebook(items, () => false);
    const [first, second] = [await openProcess(), await openProcess()];
    const urls = await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? first() : second())));
    expect(items).toHaveLength(1);
    expect(new Set(urls)).toEqual(new Set([items[0]?.id]));
    expect(lms.seen.map(({ method }) => method)).toEqual(["GET", "POST"]);
  });

  test("is found by the next caller when the answer to its creation was lost", async () => {
    const items: Item[] = [];
    gradebook(items, () => true);
    const [first, second] = [await openProcess(), await openProcess()];
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => (n < 5 ? first() : second())),
    );
    expect(items).toHaveLength(1);
    const reached = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    expect(reached).toHaveLength(9);
    expect(new Set(reached)).toEqual(new Set([items[0]?.id]));
    const [failed] = answers.flatMap((answer) => (answer.status === "rejected" ? [answer] : []));
    expect(failed?.reason).toMatchObject({ code: "lms-unreachable", temporary: true });
  });

  test("that came with a copied course is used, even if the LMS does not filter", async () => {
    const copied = {
      id: `${lms.url}/2/lineitems/14/lineitem?type_id=1`,
      label: "Attendance",
      scoreMaximum: 100,
    };
    lms.state.answer = ({ method }) =>
      method === "GET"
        ? {
            body: [
              { ...copied, id: `${copied.id}&x`, resourceId: "quiz" },
              { ...copied, resourceId: "spaces-lti-attendance" },
            ],
          }
        : { status: 500 };
    expect(await (await openProcess())()).toBe(copied.id);
    expect(lms.seen.map(({ method }) => method)).toEqual(["GET"]);
  });

  test("is not created while the LMS does not list its columns", async () => {
    lms.state.answer = ({ method }) => (method === "GET" ? { body: { error: "later" } } : { status: 500 });
    await expect((await openProcess())()).rejects.toMatchObject({ code: "lms-reply-unreadable" });
    expect(lms.seen.map(({ method }) => method)).toEqual(["GET"]);
  });
});
