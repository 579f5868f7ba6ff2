// First, so that nothing keeps the real clock.
import { beginWorld, chanceOf } from "./edges.ts";
import { network } from "./network.ts";
import "./disk.ts";
import { createHash } from "node:crypto";
import { drawDay, drawPlan, drawTerm, oneOf } from "./draw.ts";
import { brokenNotes, brokenWhenQuiet, erasedAndBack, gradesOf } from "./laws.ts";
import { loop } from "./loop.ts";
import { command, isTerm, options, type TroubleName } from "./options.ts";
import { type Day, live, nothingTold, pause, type Told } from "./story.ts";
import { begin, nothingHappened, quietNetwork } from "./trouble.ts";
import { prepareWorlds, startWorld, type World } from "./world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long the tool may take to finish everything once the trouble is over. */
const quietWithinMs = 15 * minuteMs;
const weekMs = 7 * 24 * hourMs;
/** How long before a class the machines are switched on. */
const morningMs = 3 * minuteMs;
const lookEveryMs = 15_000;
/** How long to wait until everything is done. */
const aWhileMs = 20_000;
/** What an instance commits just before it is lost for the rest of the day: after a mark, and after a changed policy before its scores are enqueued. */
const lostAfter = { mark: ["receipts", "deliveries", "deliveries"], policy: ["courseauditentries"] } as const;
/** How many requests are printed for a broken law. */
const shownCount = 50;

/** The outcome of a world. */
type Outcome = {
  broken: string[];
  /** A digest of all requests and their virtual times. */
  digest: string;
  grades: string;
  what: string;
  requests: string[];
};

/** The virtual moments of two runs are the same to the millisecond: how far its fraction is exact depends on how long the process ran. Keys in addresses are not. */
function lines(): string[] {
  return network
    .seen()
    .map(
      ({ at, from, port, method, url, status }) =>
        `${new Date(loop.epoch + at).toISOString()} ${from.name} -> ${port} ${method} ${url.split("?")[0] ?? ""} ${status}`,
    );
}

/** Waits until everything is as it must be. @returns what is not in the end */
async function comeToRest(world: World, told: Told, since: number): Promise<string[]> {
  // A session that began late ends late, and marks without a webhook come with the reading after its end.
  const ends = world.classroom.events().map(({ endsAt }) => endsAt);
  for (const until = Math.max(Date.now(), ...ends) + quietWithinMs; ;) {
    await pause(lookEveryMs);
    const broken = await brokenWhenQuiet(world, told, since);
    if (broken.length === 0 || Date.now() > until) return broken;
  }
}

async function liveThrough(
  seed: number,
  kinds: ReadonlySet<TroubleName>,
  instances: number,
): Promise<Outcome> {
  // Terms begin so that most include the end of summer time in Europe and America.
  beginWorld(seed, Date.UTC(2026, 8, 7 + 7 * (isTerm ? seed % 8 : 0), 8));
  quietNetwork();
  const chance = chanceOf("story");
  const losses = chanceOf("losses");
  const plan = drawPlan(chance, { ...options, instances, isTerm });
  const days: Day[] = isTerm ? drawTerm(chance, plan, options.weeks) : [drawDay(chance, plan)];
  const world = await loop.run(startWorld(plan), hourMs);
  try {
    const began = loop.now;
    const told = nothingTold();
    const quiet: string[] = [];
    const happened = nothingHappened();
    for (const { at, steps, last } of days) {
      // Nights and weekends show little and would take nearly all of the time, so the machines are off.
      const wake = began + at - morningMs;
      if (wake > loop.now) world.offUntil(wake);
      await loop.run(pause(began + at - loop.now), 2 * weekMs);
      const since = Date.now();
      const trouble = begin(world, kinds, happened);
      await loop.run(live(world, steps, told), 12 * hourMs);
      await loop.run(pause(trouble.calmDown()), hourMs);
      for (const step of last) {
        await loop.run(pause(aWhileMs), hourMs);
        trouble.loseAfter(oneOf(losses, step.what === "mark" ? lostAfter.mark : lostAfter.policy));
        await loop.run(live(world, [step], told), hourMs);
      }
      await loop.run(pause(aWhileMs), hourMs);
      trouble.end();
      const broken = await loop.run(comeToRest(world, told, since), hourMs);
      quiet.push(...broken.map((law) => `${new Date().toISOString()}: ${law}`));
      if (broken.length > 0) break;
    }
    const grades = plan.courses.map((course) =>
      [...gradesOf(world, course)].map((one) => one.join(": ")).join(", "),
    );
    const { kills, pauses, cuts, lies } = happened;
    return {
      broken: [...brokenNotes(world, told), ...quiet, ...erasedAndBack(world, told)],
      digest: createHash("sha256").update(lines().join("\n")).digest("hex").slice(0, 16),
      grades: grades.join("; "),
      what: `${network.seen().length} requests, ${kills} kills, ${pauses} pauses, ${cuts} cuts, ${lies} lies`,
      requests: lines(),
    };
  } finally {
    world.close();
  }
}

/** One of this many terms is compared with itself without trouble, which takes a third of the time; in the others an independent sum shows as much. */
const termsToOneCompared = 10;

/** The same story, first without trouble and with one instance, which is fastest. @returns whether all laws held */
async function tryOut(seed: number): Promise<boolean> {
  const kinds = new Set(options.trouble);
  const isCompared = kinds.size > 0 && (!isTerm || seed % termsToOneCompared === 0);
  const calm = isCompared ? await liveThrough(seed, new Set(), 1) : null;
  const outcome = await liveThrough(seed, kinds, options.instances);
  const broken = [
    ...(calm?.broken ?? []).map((law) => `without trouble: ${law}`),
    ...outcome.broken,
    ...(calm === null || calm.grades === outcome.grades
      ? []
      : [`the gradebook differs from the one without trouble:\n  ${calm.grades}\n  ${outcome.grades}`]),
  ];
  if (options.requests) console.log(outcome.requests.join("\n"));
  console.log(
    `seed ${seed}: ${broken.length === 0 ? "holds" : "BROKEN"} (${outcome.what}, ${outcome.digest})`,
  );
  if (broken.length === 0) return true;
  const { courses, learners, instances, trouble, weeks } = options;
  const length = isTerm ? ` --terms 1 --weeks ${weeks}` : "";
  console.log(
    [
      ...broken.map((law) => `  ${law}`),
      "  The last requests:",
      ...outcome.requests.slice(-shownCount).map((line) => `    ${line}`),
      `  To see it again: ${command} --seed ${seed}${length} --courses ${courses} --learners ${learners} --instances ${instances} --trouble=${trouble.join(",")}`,
    ].join("\n"),
  );
  return false;
}

const seeds = isTerm ? options.terms : options.classes;
let done = 0;
let failed = 0;
for (const [signal, status] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  process.on(signal, () => {
    console.error(`Stopped: ${done} of ${seeds} seeds were lived through, ${failed} of them broke a law.`);
    process.exit(status);
  });
await loop.run(prepareWorlds(), hourMs);
let current = options.seed;
process.on("uncaughtException", (thrown) => {
  console.error(`seed ${current}: BROKEN: this would have ended the program:`, thrown);
  process.exit(1);
});
for (let seed = options.seed; seed < options.seed + seeds; seed += 1) {
  current = seed;
  if (!(await tryOut(seed))) failed += 1;
  done += 1;
}
process.exit(failed === 0 ? 0 : 1);
