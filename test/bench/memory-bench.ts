import type { ChildProcess } from "node:child_process";
import { systemClock } from "../../src/kernel/clock.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { sendBurst } from "../support/tool/burst-sender.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, type TinyWorld } from "../support/tool/tiny-world.ts";
import type { BenchRow } from "./bench-row.ts";
import { type Memory, memoryOf, startMeasured } from "./waiting-bench.ts";

/** A day in parts of four hours: 200 courses, each learner new once and back later, opened pages, and webhooks. */
const day = { parts: 6, courses: 200, launches: 600, webhooks: 3_000 };
/** Growth of the heap over the last five parts that still counts as none. */
const flat = 1.05;

/**
 * A day's traffic of an institution as fast as one process takes it, and its heap after each four hours. The first part fills what is kept
 * on purpose (code, templates, prepared statements); from then on nothing may accumulate.
 */
export async function benchMemory(): Promise<BenchRow[]> {
  let child: ChildProcess | null = null;
  let secret = "";
  const world = await startTinyWorld(async (variables) => {
    secret = variables["CLASSROOM_WEBHOOK_SECRET"] ?? "";
    const started = await startMeasured(variables);
    ({ child } = started);
    return started;
  });
  const memory = (): Promise<Memory> => {
    if (child === null) throw new Error("there is no tool");
    return memoryOf(child);
  };
  try {
    const after: Memory[] = [];
    for (let part = 0; part < day.parts; part += 1) {
      await people(world, part);
      const to = { url: `${world.toolUrl}/webhooks/production`, secret };
      await sendBurst(to, webhooks(part), { patience: 300_000 });
      await systemClock.sleep(5_000); // the work that all this triggers
      after.push(await memory());
    }
    const [, first, ...rest] = after;
    const last = rest.at(-1);
    if (first === undefined || last === undefined) throw new Error("the day was too short");
    const growth = last.heap / first.heap;
    const { parts, launches, webhooks: hooks } = day;
    return [
      {
        measure: `memory: heap after each four hours of a day (${parts * launches} launches, ${parts * hooks} webhooks)`,
        value: after.map(({ heap }) => megabytes(heap)).join(", "),
        limit: "-",
        ratio: "-",
      },
      {
        measure: "memory: heap at the end of the day, to that after eight hours",
        value: `${growth.toFixed(3)} times`,
        limit: `${flat} times`,
        ratio: growth <= flat ? "flat" : "GROWS",
      },
      {
        measure: "memory: of the whole process (RSS), after eight hours and at the end",
        value: `${megabytes(first.rss)}, ${megabytes(last.rss)}`,
        limit: "-",
        ratio: (last.rss / first.rss).toFixed(2),
      },
    ];
  } finally {
    await world.close();
  }
}

/** People launch, each into one of the courses, and open the page again, as after a reload. */
async function people(world: TinyWorld, part: number): Promise<void> {
  const left = Array.from({ length: day.launches }, (_none, number) => number);
  const lane = async () => {
    for (let number = left.pop(); number !== undefined; number = left.pop()) {
      // Half of them were there in the previous part.
      const who = `sub-${(number + (part * day.launches) / 2) % (3 * day.launches)}`;
      const course = `course-${number % day.courses}`;
      const roles = number < day.courses ? {} : { roles: [learnerRole] };
      const page = await world.launch({
        claims: claimsOf({ sub: who, name: `New ${who}`, course, ...roles }),
      });
      const again = await page.visitor.submit(page, { framed: true, action: "/course/home" });
      const answers = [page.status, again.status];
      if (answers.some((status) => status !== 200))
        throw new Error(`a launch answered ${answers.join(", ")}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

function webhooks(part: number): string[] {
  return Array.from({ length: day.webhooks }, (_none, number) =>
    JSON.stringify({
      _type: number % 3 === 0 ? "SPACE_SESSION" : "SPACE_USER",
      spaceId: `space-${number % day.courses}`,
      sessionId: `session-${part}-${number % 50}`,
      timestamp: new Date().toISOString(),
      eventType: number % 3 === 0 ? "SESSION_ENDED" : "joinSpace",
      userId: `user-${number % 500}`,
      userTabId: randomIds.id("tab"),
    }),
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
