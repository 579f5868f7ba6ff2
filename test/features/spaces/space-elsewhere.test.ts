import { afterEach, beforeEach, expect, test } from "vitest";
import type { NewSpace } from "../../../src/domain/course-link.ts";
import { ensureSpace } from "../../../src/modules/spaces/ensure-space.ts";
import { renewSpace } from "../../../src/modules/links/link-space.ts";
import { openPlannedCourse } from "../../support/builders/planned-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const origin = "https://elsewhere.example";
const open: NewSpace = { access: "Public", waitingRoom: false };
const closed: NewSpace = { access: "Private", waitingRoom: true };

const database = await forAllTests(openEmptyStores());
let course: Awaited<ReturnType<typeof openPlannedCourse>>;
/** How each Space was created that the service placed elsewhere. */
let made: NewSpace[];
/** Whether an operator has allowed the other host. */
let allowed: boolean;

beforeEach(async () => {
  course = await openPlannedCourse(database);
  made = [];
  allowed = false;
});
afterEach(() => course.close());

function deps() {
  const client = course.deps.classroomOf();
  return {
    ...course.deps,
    appUrlOf: () => "https://app.test",
    isSpaceOrigin: () => allowed,
    classroomOf: () => ({
      ...client,
      createSpace: ({ access, waitingRoom }: NewSpace) => {
        made.push({ access, waitingRoom });
        return Promise.resolve({
          spaceId: `elsewhere-${made.length}`,
          elsewhere: allowed ? null : origin,
          listed: [],
        });
      },
    }),
  };
}

async function now() {
  return required(await course.deps.courses.find("bio"));
}

async function renew(how: NewSpace) {
  const before = await now();
  const decision = { personId: "per-Ina", seen: before.spaceId ?? "", made: how };
  return renewSpace(deps(), before, decision);
}

test("somebody who asks for a new Space keeps the current one until the new one's host is allowed", async () => {
  const { spaceId: working } = await now();
  for (let times = 0; times < 3; times += 1)
    await expect(renew(open)).rejects.toMatchObject({ code: "space-elsewhere", details: { origin } });
  expect(made).toEqual([open]);
  expect((await now()).spaceId).toBe(working);
  expect(await course.deps.courses.mayUse(await now(), "elsewhere-1")).toBe(false);
  expect(await ensureSpace(deps(), await now(), null)).toBe(working);
  allowed = true;
  expect((await renew(open)).spaceId).toBe("elsewhere-1");
  expect(made).toEqual([open]);
  expect((await now()).spaceId).toBe("elsewhere-1");
  expect(await course.deps.courses.mayUse(await now(), "elsewhere-1")).toBe(true);
});

test("a stored Space is not given to a request for another access, or to a second request", async () => {
  await expect(renew(open)).rejects.toMatchObject({ code: "space-elsewhere" });
  await expect(renew(closed)).rejects.toMatchObject({ code: "space-elsewhere" });
  expect(made).toEqual([open]);
  allowed = true;
  expect((await renew(closed)).spaceId).toBe("elsewhere-2");
  expect((await renew(open)).spaceId).toBe("elsewhere-1");
  expect((await renew(open)).spaceId).toBe("elsewhere-3");
  expect(made).toEqual([open, closed, open]);
});
