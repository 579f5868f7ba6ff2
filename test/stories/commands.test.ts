import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { waitingReceipt } from "../support/builders/waiting-receipt.ts";
import { startMongoServer } from "../support/stand-ins/mongo-server.ts";
import { burstFor, type BurstWorld, startBurstWorld, wrongScores } from "../support/tool/burst-world.ts";
import {
  type Command,
  roundTrips,
  startCountedTool,
  watchAnswers,
  watchCommands,
} from "../support/tool/counted-tool.ts";

const patience = { timeout: 60_000 };
/** Slow enough that commands sent together are recognized as such (ms). */
const answerTakesMs = 5;
const learners = 20;
/** For tests of one engine; both engines are tested side by side, as most of the time is spent waiting for quiet. */
const inTurn = { concurrent: false };
/** How often these are asked is a matter of time, and no class's. */
const ofTime = /tasks|dueheads|jobs|tallies|throttles|provisioning|presences|classroomaccounts/;

/** The greatest number of commands to the database, not their time. A round is a command with those sent at the same time. */
const ceilings = {
  /** Until the login and the launch are answered, with what a busy machine begins early; and including all work after the answer. */
  launch: { rounds: 8, commands: 22, inAll: 28 },
  /** The page to which a launch leads. */
  page: { instructor: { rounds: 12, commands: 43 }, learner: { rounds: 12, commands: 24 } },
  /** For a class that is marked together, from the first webhook to the last score in the gradebook. */
  aWebhook: 9,
  /** In a second of an idle instance. */
  idle: 1,
};

describe.concurrent.each(["mongodb", "embedded"] as const)(
  "The number of database commands of the tool (%s)",
  (engine) => {
    const seen: Command[] = [];
    const answeredAt = new Map<string | null, number>();
    let burst: BurstWorld;
    let close = async () => {};
    beforeAll(async () => {
      const server = engine === "mongodb" ? await startMongoServer() : null;
      const watches = [watchCommands(engine, seen), watchAnswers(answeredAt)];
      const url = `mongodb://127.0.0.1:${server?.port ?? 0}/counted?monitorCommands=true`;
      burst = await startBurstWorld({
        learners,
        events: 2,
        startTool: startCountedTool,
        ...(server === null ? {} : { databaseUrl: url }),
      });
      server?.delayBy(answerTakesMs);
      close = async () => {
        await burst.close();
        for (const end of watches) end();
        await server?.close();
      };
    });
    afterAll(() => close());
    const print = (what: string, commands: readonly Command[]) => {
      if (process.env["COMMANDS"] === "1")
        console.log(
          `${what}: ${commands.length} commands, ${roundTrips(commands)} rounds\n${commands.map((one) => one.what).join("\n")}`,
        );
    };

    /** Waits until the tool has sent no more commands than an idle one for that time (ms). */
    const becomesIdle = (windowMs: number) => {
      const from = performance.now();
      return vi.waitFor(() => {
        const since = performance.now() - windowMs;
        expect(from).toBeLessThan(since);
        const lately = seen.filter((one) => one.began > since && !one.what.startsWith("hello"));
        expect(lately.length).toBeLessThanOrEqual((ceilings.idle * windowMs) / 1_000);
      }, patience);
    };

    test.each([
      ["an instructor", "teacher1"],
      ["an unknown learner", "user1999"],
      ["a learner on the list who comes for the first time", "user1020"],
      ["a learner who comes again", "student1"],
    ])("when %s opens the link in a frame", inTurn, async (who, person) => {
      if (person === "user1999") burst.world.lms.enrolMany("2", [{ id: "1999", role: "student" }]);
      const from = seen.length;
      await openCourseLink(createVisitor(), burst.world.lms, person, "1", { framed: true });
      const [login = [], launch = [], page = []] = byRequest(seen.slice(from));
      const awaited = launch.filter(({ request, began }) => began < (answeredAt.get(request) ?? 0));
      print(`${who}: login`, login);
      print(`${who}: launch`, awaited);
      print(`${who}: launch, in all`, launch);
      print(`${who}: page`, page);
      expect(awaited.length).toBeGreaterThan(8);
      expect(login.length + launch.length).toBeLessThanOrEqual(ceilings.launch.inAll);
      const most = ceilings.page[person === "teacher1" ? "instructor" : "learner"];
      // If the page takes half a second, some records are read again.
      const again = (page.at(-1)?.began ?? 0) - (page[0]?.began ?? 0) > 500 ? 4 : 0;
      expect(page.length).toBeLessThanOrEqual(most.commands + again);
      expect(login.length + awaited.length).toBeLessThanOrEqual(ceilings.launch.commands);
      // The embedded engine answers in the same turn.
      if (engine === "embedded") return;
      expect(roundTrips(login) + roundTrips(awaited)).toBeLessThanOrEqual(ceilings.launch.rounds);
      expect(roundTrips(page)).toBeLessThanOrEqual(most.rounds);
    });

    test("when a class is marked, and its scores reach the gradebook", inTurn, async () => {
      const script = burstFor(burst, learners, 1);
      // Neither the launches' remaining work nor the jobs, which begin at the full minute, belong to the class.
      await vi.waitFor(async () => {
        await becomesIdle(4_000);
        expect(Date.now() % 60_000).toBeLessThan(40_000);
      }, patience);
      // Stored as by another instance; all become due together, however long storing them takes.
      const due = { family: "ATTENDANCE", nextTryAt: Date.now() + 3_600_000 };
      const receipts = script.bodies.map((body) => {
        const webhook: unknown = JSON.parse(body);
        return waitingReceipt(z.object({}).loose().parse(webhook), Date.now(), due);
      });
      await Promise.all(receipts.map((one) => burst.stores.receipts.insert(one)));
      const [from, began] = [seen.length, performance.now()];
      await burst.stores.receipts.processAgain(
        receipts.map(({ id }) => id),
        Date.now(),
      );
      await vi.waitFor(() => {
        expect(wrongScores(burst, script)).toEqual([]);
      }, patience);
      const whileIdle = (ceilings.idle * (performance.now() - began)) / 1_000;
      print("webhooks of a class", seen.slice(from));
      const ofClass = seen.slice(from).filter(({ what }) => !ofTime.test(what)).length;
      expect((ofClass - whileIdle) / learners).toBeLessThanOrEqual(ceilings.aWebhook);
    });

    test("when nobody comes", inTurn, async () => {
      const windowMs = 10_000;
      await becomesIdle(windowMs);
      print(
        "idle",
        seen.filter((one) => one.began > performance.now() - windowMs),
      );
    });
  },
);

/** Sorted by the order of requests. */
function byRequest(commands: readonly Command[]): Command[][] {
  const own = commands.filter(({ request }) => request !== null);
  return [...Map.groupBy(own, ({ request }) => request).values()];
}
