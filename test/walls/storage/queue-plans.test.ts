import { describe, expect, test } from "vitest";
import type { DueKind } from "../../../src/storage/due-heads.ts";
import { readRoster } from "../../../src/modules/members/roster-readings.ts";
import type { Stores } from "../../../src/open-stores.ts";
import { type SeenQuery, seenQueries } from "../../support/builders/seen-queries.ts";
import { openOnEachEngine } from "./open-engine.ts";

const now = 1_000_000;
const until = now + 10_000;
const me = "me";
const lms = "lms 1";
const course = { registrationId: lms, courseId: "course 1" };
const person = { ...course, personId: "person 1" };

/** How each queue is asked for its next piece of work. */
const ofStores: Record<DueKind, (stores: Stores) => Promise<unknown>> = {
  deliveries: ({ deliveries }) => deliveries.claimDue(me, now, until),
  regrades: ({ regrades }) => regrades.claimDue(me, now, until),
  "institution-regrades": ({ institutionDefaults }) => institutionDefaults.claimRegrade(me, now, until),
  "owed-grades": ({ pendingRegrades }) => pendingRegrades.claimDue(now, until),
  columns: ({ columns }) => columns.claimUpdate(me, now, until),
  receipts: ({ receipts }) => receipts.claimDue(me, now, until, 50),
  "slow-receipts": ({ receipts }) => receipts.claimSlow(me, now, until, 50),
  people: async ({ provisioning }) => {
    await provisioning.nextLms("", now, []);
    await provisioning.takeTurn(lms, now, []);
    await provisioning.claim({ ...course, environment: "production", revision: 1 }, me, now, until);
  },
  matches: ({ userMatches }) => userMatches.claimDue(me, now, until),
  "claimed-sessions": ({ unassignedEvents }) => unassignedEvents.claimDue(me, now, until),
  marks: ({ attendanceMarks }) => attendanceMarks.claimDue(me, now, until),
  "session-plans": ({ sessionPlans }) => sessionPlans.claimDue(me, now, until),
  "space-changes": ({ courses }) => courses.claimSpaceChanges(now, until),
  erasures: ({ erasures }) => erasures.claimDue(me, now, until),
  door: ({ queuePositions }) => queuePositions.claimNext("production", me, now, until),
  ahead: ({ expectedClasses }) => expectedClasses.claimNext("production", me, now, until),
};
const claims = new Map(Object.entries(ofStores));
// Tasks of all kinds are found in the same way.
for (const { head } of readRoster.heads)
  claims.set(head, ({ tasks }) => tasks.claim(readRoster, me, now, until));

/** What a launch, an entry, a webhook, a score and a look at the waiting queue ask for, each of one person or one course. */
const hotPath: Record<string, (stores: Stores) => Promise<unknown>> = {
  "the LMS of a launch": ({ registrations }) => registrations.findByClient("https://lms.example", "client"),
  "its deployment": ({ deployments }) => deployments.find(lms, "1"),
  "the person of a launch": ({ people }) =>
    people.findBySub({ registrationId: lms, deploymentId: "1", sub: "sub" }),
  "the courses of a context": ({ courses }) => courses.findByContexts(lms, ["context 1"]),
  "a member": ({ members }) => members.find(lms, "course 1", "person 1"),
  "the columns of a course": ({ columns }) => columns.listOfCourse(lms, "course 1"),
  "a page's session": ({ browserSessions }) => browserSessions.find("session 1"),
  "a place in the line": ({ queuePositions }) => queuePositions.findByTicket("ticket"),
  "a new place in the line": ({ queuePositions }) =>
    queuePositions.join({
      ...{ ...person, id: "place 1", ticket: "ticket 1", environment: "production", courseLinkId: null },
      ...{ role: "learner", locale: null, mobile: false, shown: "tab", calls: 1 },
      ...{ arrivedAt: now, seenUntil: until },
    }),
  "the line": ({ queuePositions }) => queuePositions.listWaiting("production", now),
  "what another process read of the line": ({ queueSummaries }) => queueSummaries.find("production"),
  "a turn at reading the line": ({ queueSummaries }) => queueSummaries.claim("production", now, until),
  "a login made ahead": ({ logins }) => logins.find(person),
  "the person of a webhook": ({ people }) => people.listByApiUser("production", "user 1"),
  "the course of a Space": ({ courses }) => courses.findBySpace("production", "space 1"),
  "the event of a webhook": ({ events }) => events.find("production", "event 1"),
  "a learner's attendance": ({ attendance }) => attendance.listOfPerson(lms, "course 1", "person 1"),
  "a course's events": ({ events }) => events.listOfCourse("course 1", 50),
  "a course's sections": ({ sections }) => sections.listOf(lms, "course 1"),
  "busy lanes of an LMS": ({ deliveries }) => deliveries.busyLanes(lms, now),
  "more scores of a column": ({ deliveries }) =>
    deliveries.claimAlso({ ...course, columnKey: "attendance" }, me, now, until, 20),
  "whom the classroom is still asked about": ({ receipts }) =>
    receipts.stillAskedAbout(["one", "other"], { by: now, since: now }, ["receipt 1"]),
  "scores that wait for more of the same person": ({ deliveries }) =>
    deliveries.endGathering(course, ["person 1"], now),
  "a column to look after": ({ columns }) => columns.claimToCheck(now, now),
  "what is due": ({ dueHeads }) => dueHeads.kindsDue(now),
  "the first work of every scope": ({ dueHeads }) => dueHeads.repair(["everything", "production", lms], now),
};

/** Work of a kind that belongs to an LMS is never looked for among that of all of them. */
const ofOneLms: ReadonlySet<string> = new Set(["deliveries", "regrades", "wanted-rosters", "rosters"]);

describe.each(await openOnEachEngine())(
  "Without going through a whole collection, or sorting",
  ({ database, stores }) => {
    /** Every queue has something to do, as far as its heads know. */
    const announceAll = async () => {
      const heads = database.connection.collection<{ _id: string }>("dueheads");
      await heads.deleteMany({});
      await heads.insertMany(
        [...claims.keys()].flatMap((kind) =>
          ["everything", "production", lms].map((scope) => ({
            _id: `${kind} ${scope}`,
            ...{ kind, scope, dueAt: 1, revision: 1, looks: 0 },
          })),
        ),
      );
    };
    const scans = ({ indexes, sorts }: SeenQuery) => sorts || indexes.length === 0;

    test.each([...claims])("the next of the queue %s is found", async (kind, claim) => {
      await announceAll();
      const seen = await seenQueries(database, () => claim(stores));
      const inside = seen.filter(({ collection }) => collection !== "dueheads");
      expect(inside.length).toBeGreaterThan(0);
      expect(seen.filter(scans)).toEqual([]);
      if (ofOneLms.has(kind))
        expect(
          inside
            .flatMap(({ indexes }) => indexes)
            .filter((index) => !/^(registrationId_1|kind_1_scope_1|_id)/.test(index)),
        ).toEqual([]);
    });

    test("the sessions of one person are found by the person, not among all of their LMS", async () => {
      const own = { registrationId: lms, courseId: "course 1", personIds: ["person 1"], courseLinkId: null };
      const seen = await seenQueries(database, () =>
        stores.browserSessions.endOldest(own, 20, now, "too-many"),
      );
      expect(seen.map(({ indexes }) => indexes)).toEqual([
        ["registrationId_1_courseId_1_personId_1_endedAt_1"],
      ]);
    });

    test.each(Object.entries(hotPath))("%s is found", async (_what, find) => {
      const seen = await seenQueries(database, () => find(stores));
      expect(seen.length).toBeGreaterThan(0);
      expect(seen.filter(scans)).toEqual([]);
    });
  },
);
