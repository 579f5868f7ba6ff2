import { replacedContext } from "../../../src/domain/course.ts";
import { expect, test } from "vitest";
import type { Registration } from "../../../src/domain/registration.ts";
import { becomeSameLms, planSameLms } from "../../../src/modules/registration/same-lms.ts";
import type { PlatformFamily } from "../../../src/domain/lms-product.ts";
import { gradeMembers } from "../../../src/modules/grading/grade-members.ts";
import { createTranslator } from "../../../src/web/translate.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import type { Stores } from "../../../src/open-stores.ts";
import { mortalStores } from "../../support/builders/mortal-stores.ts";
import { launchedCourse, newCourse } from "../../support/builders/launched-course.ts";
import { recordPerson } from "../../support/builders/give-api-user.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { personalRecords } from "../../../src/modules/privacy/rules/erasure.ts";
import { collectionsByModel } from "../../../src/storage/records.ts";

const { connection, stores } = await forAllTests(openEmptyStores());

const deps = (some: Stores = stores) => ({ ...some, clock: systemClock, ids: randomIds });
const put = async (model: string, row: Record<string, unknown>) => {
  await collectionsByModel(connection)(model).insertOne({ _id: randomIds.id("row"), ...row });
};

async function register(lms: string, which: "old" | "new", family: PlatformFamily = "moodle") {
  const registration: Registration = registrationOf({
    family,
    id: `${lms}-${which}`,
    issuer: `https://${lms}.test`,
    clientId: `client-${which}`,
    name: lms,
    createdAt: which === "old" ? 1 : 2,
  });
  await stores.registrations.insert(registration);
  const deployment = { registrationId: registration.id, deploymentId: which, status: "accepted" as const };
  await stores.deployments.record({ ...deployment, firstSeenAt: 1 });
  return registration;
}

/** A course of Ann's, who is a separate person in each registration. */
async function course(lms: string, which: "old" | "new", contextId: string, attended: boolean) {
  const registrationId = `${lms}-${which}`;
  const { id } = await stores.courses.record(
    { registrationId, deploymentId: which, contextId },
    launchedCourse({
      title: contextId,
      label: contextId,
      lineItemsUrl: `https://${lms}.test/${which}/lineitems`,
      gradeScopes: ["score"],
      courseUrl: null,
      lastLaunchAt: 1,
    }),
    newCourse(`${registrationId}-${contextId}`),
  );
  const ann = { sub: "ann", name: "Ann", registrationId, deploymentId: which };
  const { id: personId } = await recordPerson(stores.people, `${registrationId}-ann`, ann);
  const key = { registrationId, courseId: id, personId };
  const told = { role: "learner" as const, testUser: false, listName: "ann", lastLaunchAt: 1 };
  await stores.members.recordLaunch(key, told, null, randomIds.id("mem"));
  if (attended) await put("Attendance", { ...key, eventId: id, revision: 1, history: [], corrections: [] });
  await put("CourseLink", { registrationId, deploymentId: which, courseId: id, linkId: "1" });
  return id;
}

async function seed(lms: string): Promise<{ from: string; to: string }> {
  const to = await register(lms, "old");
  const from = await register(lms, "new");
  await course(lms, "old", "both", true);
  await course(lms, "old", "used", true);
  await course(lms, "new", "both", false);
  await course(lms, "new", "used", true);
  await course(lms, "new", "since", true);
  await course(lms, "new", "later", true);
  return { from: from.id, to: to.id };
}

/** The records of a kind that are deleted when the LMS is uninstalled. */
const filterOf = (model: string, registrationId: string) =>
  personalRecords.find((record) => record.model === model)?.ofRegistration?.(registrationId) ?? {};

const titles = (courses: readonly { title: string }[]) => courses.map(({ title }) => title);

test("newer records are moved, an empty second course is replaced, and one in use is listed and left", async () => {
  const { from, to } = await seed("lms");
  const plan = await planSameLms(deps(), from, to);
  expect([titles(plan.moved), titles(plan.replaced), titles(plan.conflicts)]).toEqual([
    ["later", "since"],
    ["both"],
    ["used"],
  ]);
  expect(await becomeSameLms(deps(), from, to)).toMatchObject({ courseCount: 2 });
  const [since] = await stores.courses.findByContexts(to, ["since"]);
  expect(since).toMatchObject({ id: "lms-new-since", deploymentId: "old", registrationId: to });
  // Ann in the new registration is Ann of the earlier one.
  for (const id of ["lms-new-since", "lms-new-later"])
    expect(await stores.attendance.listOfPeople(to, id, ["lms-old-ann"]), id).toHaveLength(1);
  expect(await stores.members.find(to, "lms-new-since", "lms-old-ann")).not.toBeNull();
  const found = await stores.courses.findByContexts(to, ["used", "both"]);
  expect(found.map(({ id }) => id).sort(), "what launches find").toEqual(["lms-old-both", "lms-old-used"]);
  expect(found[0]).toMatchObject({ lineItemsUrl: null });
  expect(await stores.courses.find("lms-new-used")).toMatchObject({
    contextId: replacedContext("lms-new-used"),
  });
  // An erasure of Ann finds her in all courses.
  for (const { model, ofCourses } of personalRecords)
    if (ofCourses !== null)
      expect(await stores.personalRecords.count(model, ofCourses(from, ["lms-new-used"])), model).toBe(0);
  expect(await stores.members.find(to, "lms-new-used", "lms-old-ann")).not.toBeNull();
});

test("another deployment of a Canvas keeps its account and what was decided about it", async () => {
  const to = await register("canvas", "old", "canvas");
  const from = await register("canvas", "new", "canvas");
  const more = { registrationId: from.id, deploymentId: "2:law", status: "refused", firstSeenAt: 2 } as const;
  await stores.deployments.record(more);
  await stores.deployments.setAccount(from.id, "2:law", "law");
  await becomeSameLms(deps(), from.id, to.id);
  const kept = { registrationId: to.id, account: "law", status: "refused" };
  expect(await stores.deployments.find(to.id, "2:law")).toMatchObject(kept);
});

test("a course that gave way sends no scores any more, and what it sent is the earlier course's", async () => {
  const { from, to } = await seed("scores");
  const key = { registrationId: from, courseId: `${from}-used`, personId: `${from}-ann` };
  const [columnKey, accepted] = ["attendance", { score: 80, maximum: 100, comment: null }];
  await put("Delivery", { ...key, columnKey, state: "waiting", accepted });
  const earlier = { registrationId: to, courseId: `${to}-used`, personId: `${to}-ann`, columnKey };
  await put("Delivery", { ...earlier, state: "idle", accepted: null, unconfirmed: [] });
  await becomeSameLms(deps(), from, to);
  expect(await stores.deliveries.find(earlier)).toMatchObject({ unconfirmed: [accepted] });
  const app = { ...deps(), wake: () => undefined, translatorOf: createTranslator() };
  await gradeMembers(app, { id: key.courseId, registrationId: to }, [{ id: `${to}-ann`, sub: "ann" }]);
  expect(await stores.deliveries.listOfCourse(to, key.courseId)).toEqual([]);
});

test("mails that somebody stopped stay stopped, and an office's excuses and joined accounts remain", async () => {
  const { from, to } = await seed("people");
  const ann = `${from}-ann`;
  for (const [id, registrationId, kind] of [
    ["stop_1", from, "digest"],
    ["stop_2", from, "reminder"],
    // Stopped by the link in a mail, while the records move.
    ["stop_3", to, "digest"],
  ] as const)
    await stores.mailStops.stop({ id, registrationId, personId: ann, kind, at: 1 });
  await put("Excuse", { registrationId: from, personId: ann, from: "2026-11-21", to: "2026-11-22" });
  await put("OfficeJoin", { registrationId: from, personId: ann, joinedTo: "ann-again", at: 1 });
  // In no course except one that is in use in both.
  const bea = { registrationId: from, personId: "bea" };
  await put("Person", { _id: "bea", registrationId: from, sub: "bea" });
  await put("Member", { ...bea, courseId: `${from}-used` });
  await put("Excuse", bea);
  await becomeSameLms(deps(), from, to);
  const personId = `${to}-ann`;
  for (const kind of ["digest", "reminder"] as const)
    expect(await stores.mailStops.has({ registrationId: to, personId, kind }), kind).toBe(true);
  expect(await stores.personalRecords.count("MailStop", { personId: ann })).toBe(0);
  for (const model of ["Excuse", "OfficeJoin"])
    expect(await stores.personalRecords.count(model, { registrationId: to, personId }), model).toBe(1);
  expect(await stores.personalRecords.count("Excuse", { registrationId: to, personId: "bea" })).toBe(1);
  expect(await stores.regrades.revisionOf({ registrationId: to, courseId: `${to}-both` })).toBe(1);
});

test("a person erased in either registration stays erased until they launch again", async () => {
  const { from, to } = await seed("erased");
  const { tombstones } = stores;
  const erase = (registrationId: string, deploymentId: string, sub: string) =>
    tombstones.addTombstones(
      registrationId,
      [
        { kind: "sub", deploymentId, sub },
        { kind: "user", environment: "production", userId: `user-${sub}` },
      ],
      { erasureId: `erasure-${sub}`, at: 10, newSalt: `salt of ${registrationId}` },
    );
  await erase(from, "new", "ben");
  await erase(to, "old", "cid");
  await becomeSameLms(deps(), from, to);
  const place = { registrationId: to, deploymentId: "old" };
  const erased = async () => [...(await tombstones.erasedSubs(place, ["ann", "ben", "cid"], 20))].sort();
  expect(await erased()).toEqual(["ben", "cid"]);
  const ben = { kind: "user", environment: "production", userId: "user-ben" } as const;
  expect(await tombstones.find(to, ben, 20)).toEqual({ erasedAt: 10, risenAt: null });
  expect(await tombstones.erasedUsers("production", () => ["user-ben"], 20)).toMatchObject([
    { registrationId: to },
  ]);
  await tombstones.reactivate(to, [{ deploymentId: "old", sub: "ben" }], 30);
  expect(await erased()).toEqual(["cid"]);
  expect(await tombstones.find(to, ben, 30)).toMatchObject({ risenAt: 30 });
  for (const [model, count] of [
    ["ErasureSalt", 2],
    ["Tombstone", 4],
  ] as const)
    expect(await stores.personalRecords.count(model, filterOf(model, to)), model).toBe(count);
});

test("API keys of the new registration read the earlier one", async () => {
  const { from, to } = await seed("keys");
  const facts = { name: "Report", scopes: [], digest: "digest", createdAt: 1, endsAt: 2, usedAt: null };
  const key = { ...facts, registrationId: from };
  await stores.apiKeys.insert({ ...key, id: "key_whole", deploymentId: null });
  await stores.apiKeys.insert({ ...key, id: "key_one", deploymentId: "new" });
  await becomeSameLms(deps(), from, to);
  const moved = (await stores.apiKeys.list(to)).map(({ id, deploymentId }) => `${id} ${deploymentId}`);
  expect(moved.toSorted()).toEqual(["key_one old", "key_whole null"]);
});

test("the LMS is found by its new client id under its earlier id, and by the earlier one for old activities", async () => {
  const { from, to } = await seed("found");
  await becomeSameLms(deps(), from, to);
  const expected = { id: to, clientId: "client-new", active: true };
  for (const found of [
    await stores.registrations.find(to),
    await stores.registrations.find(from),
    await stores.registrations.findByClient("https://found.test", "client-new"),
  ])
    expect(found).toMatchObject({ ...expected, renamedDeployments: [{ told: "new", kept: "old" }] });
  const former = await stores.registrations.findByClient("https://found.test", "client-old");
  expect(former).toMatchObject({ id: to, clientId: "client-old", isFormer: true, renamedDeployments: [] });
  expect(await stores.registrations.listByIssuer("https://found.test")).toMatchObject([expected]);
});

test.each([
  ["itself", "same-lms-itself"],
  ["of another issuer", "same-lms-other"],
  ["joined already", "same-lms-already"],
])("joining is refused for a registration that is %s, and changes nothing", async (which, code) => {
  const lms = `refused-${code}`;
  const { from, to } = await seed(lms);
  const other = await seed(`${lms}-other`);
  if (code === "same-lms-already") await becomeSameLms(deps(), from, to);
  const asked = { "same-lms-itself": from, "same-lms-other": other.to }[code] ?? to;
  const before = await stores.registrations.list();
  await expect(becomeSameLms(deps(), from, asked), which).rejects.toMatchObject({ code });
  expect(await stores.registrations.list()).toEqual(before);
});

test("a join that is killed leaves the new registration off or unchanged, and a second try continues", async () => {
  const written = ["registrations", "registrationMoves", "columns", "deliveries"] as const;
  let calls = 0;
  for (; ; calls += 1) {
    const lms = `killed-${calls}.`;
    const { from, to } = await seed(lms);
    const { stores: mortal, isDead } = mortalStores(stores, written, calls);
    const died = await becomeSameLms({ ...deps(mortal), clock: systemClock }, from, to).then(
      () => false,
      () => true,
    );
    if (!died || !isDead()) break;
    const said = await stores.registrations.sameAs(from);
    if (said === null) expect((await stores.registrations.find(from))?.active).toBe(true);
    if (said?.done === false) expect((await stores.registrations.find(from))?.active).toBe(false);
    if (said?.done !== true) await becomeSameLms(deps(), from, to);
    expect((await stores.registrations.find(from))?.id).toBe(to);
    const [since] = await stores.courses.findByContexts(to, ["since"]);
    expect(since?.id).toBe(`${lms}-new-since`);
    expect(await stores.members.find(to, `${lms}-new-since`, `${lms}-old-ann`)).not.toBeNull();
    expect(calls).toBeLessThan(40);
  }
  expect(calls, "moments at which it was killed").toBeGreaterThan(5);
});
