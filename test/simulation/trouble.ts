import { chanceOf, store } from "./edges.ts";
import { currentOwner, pause } from "./instances.ts";
import { loop } from "./loop.ts";
import { type Fate, network, type Seen } from "./network.ts";
import { oneOf } from "./draw.ts";
import type { TroubleName } from "./options.ts";
import { type Instance, ports, type World } from "./world.ts";

/** What went wrong, printed with the outcome. */
export type Happened = { kills: number; pauses: number; cuts: number; lies: number };
export const nothingHappened = (): Happened => ({ kills: 0, pauses: 0, cuts: 0, lies: 0 });

type Chance = () => number;
const second = 1_000;
/** Average time between two blows in a term: that many people come, and that much is stored, that nobody would get in without it. */
const restInTermsMs = 60 * second;
/** The share of network, classroom and webhook trouble in a term: with all of it, people try three times to get in, which shows nothing new. */
const shareIn = ({ plan }: World) => (plan.isTerm ? 1 / 3 : 1);

export type Trouble = {
  /** No more trouble begins, and killed instances come back. @returns how long that takes (ms) */
  calmDown: () => number;
  /** The instance that next commits to this collection dies right after and stays away, unless it is the last one. */
  loseAfter: (collection: string) => void;
  end: () => void;
};

/** The network of a world without trouble until `begin`. */
export function quietNetwork(): void {
  const chance = chanceOf("network");
  network.clear({
    fateOf: () => ({ delayMs: 0.5 + 4 * chance(), isCut: false }),
    choose: (count) => Math.floor(chance() * count),
  });
}

/** Begins trouble of these kinds. Lost instances are away until the next day. */
export function begin(world: World, kinds: ReadonlySet<TroubleName>, happened: Happened): Trouble {
  if (kinds.has("network")) breakNetwork(happened, shareIn(world));
  const duplicates = chanceOf("webhooks")() < shareIn(world);
  if (kinds.has("webhooks")) world.classroom.setWebhookSwitches({ duplicates, reorder: true });
  if (kinds.has("clocks")) setApart(world);
  if (kinds.has("lies")) lieAsLms(world);
  if (kinds.has("busy")) {
    const chance = chanceOf("busy store");
    store.isBusy = () => chance() < 0.1;
    store.turnMs = () => (isTool() ? slowTurn(chance) : 0);
  }
  const strikes = strike(world, kinds, happened);
  const calmDown = () => {
    strikes.stop();
    store.isBusy = () => false;
    store.turnMs = () => 0;
    world.lms.faults.clear();
    world.classroom.clearFaults();
    network.setFate(() => ({ delayMs: 1, isCut: false }));
    world.classroom.setWebhookSwitches({ duplicates: false, reorder: false });
    return kinds.has("kills") ? awayMs.away : 0;
  };
  return {
    calmDown,
    loseAfter: strikes.loseAfter,
    end: () => {
      calmDown();
      strikes.end();
    },
  };
}

const isTool = () => currentOwner().name.startsWith("tool");

/** A disk that is mostly quick: one turn in a hundred takes up to 3 s, and some up to 40 ms. */
function slowTurn(chance: Chance): number {
  const luck = chance();
  return luck < 0.01 ? 3 * second * chance() : luck < 0.15 ? 40 * chance() : 0;
}

/** Of a hundred messages some come seconds late, and some break their connection. For minutes, the LMS or the classroom answers slowly. */
function breakNetwork(happened: Happened, share: number): void {
  const chance = chanceOf("broken network");
  const slow = { lms: spells(chance, 0.6 * share), classroom: spells(chance, 0.35 * share) };
  network.setFate((from, port): Fate => {
    const luck = chance();
    // The throttle counts on the usual time to the classroom (record 0012), so only answers come late.
    const isCall = port === ports.classroom && from !== "classroom";
    if (luck < 0.02 * share) {
      happened.cuts += 1;
      return { delayMs: 1, isCut: true };
    }
    if (luck < 0.05 * share && !isCall) return { delayMs: 15 * second * chance(), isCut: false };
    const isSlow = (from === "lms" || from === "classroom") && slow[from]() && luck < 0.6;
    return { delayMs: isSlow ? 9 * second * chance() : 0.5 + 4 * chance(), isCut: false };
  });
}

/** A share of the time, in spells of a minute or two. */
function spells(chance: Chance, share: number): () => boolean {
  let until = loop.now;
  let is = false;
  return () => {
    if (loop.now >= until) {
      is = chance() < share;
      until = loop.now + (1 + chance()) * 60 * second;
    }
    return is;
  };
}

/** Sets the machines' clocks seconds apart. */
function setApart({ instances }: World): void {
  instances.forEach((instance, at) => {
    instance.setDrift(((at % 3) - 1) * 8_000);
  });
}

/** Some of the LMS's services fail, are slow, or act without an answer. */
function lieAsLms({ lms }: World): void {
  lms.faults.add({ on: "all", how: "answer", status: 500, share: 0.04 });
  lms.faults.add({ on: "all", how: "answer", status: 429, retryAfter: 5, share: 0.03 });
  lms.faults.add({ on: "all", how: "maintenance", share: 0.02 });
  lms.faults.add({ on: "all", how: "slow", delayMs: 8_000, share: 0.04 });
  lms.faults.add({ on: "all", how: "lose-answer", share: 0.04 });
  lms.faults.add({ on: "scores", how: "lose-answer", share: 0.2 });
}

const lies = ["429", "429", "500", "garbage", "slow", "drop"] as const;

/** The classroom's next call fails, whether it takes effect or not. */
function lieAsClassroom({ classroom }: World, chance: Chance, happened: Happened): void {
  const kind = oneOf(chance, lies);
  const takesEffect = kind !== "429" && chance() < 0.5;
  if (takesEffect) happened.lies += 1;
  classroom.addFault({ kind, takesEffect, retryAfterSeconds: 6 });
}

/** A kill with a start soon or late, a kill without a start on this day, and a pause. A claim expires after ten seconds. */
type Blow = "kill" | "away" | "lost" | "short pause" | "long pause";

const awayMs = { kill: 2 * second, away: 90 * second, "short pause": 5 * second, "long pause": 30 * second };

/** Faults between these commits show up however often they are made. */
const rarelyStored: ReadonlySet<string> = new Set(["regrades", "owedgradings", "courseauditentries"]);

/** What happens to an instance, in shares of all blows. */
function drawBlow(chance: Chance, kinds: ReadonlySet<TroubleName>): Blow | null {
  const luck = chance();
  if (luck < 0.2) return kinds.has("kills") ? "kill" : null;
  if (luck < 0.27) return kinds.has("kills") ? "away" : null;
  if (!kinds.has("pauses")) return null;
  return luck < 0.7 ? "short pause" : "long pause";
}

/**
 * Instances die or stop a few events after something arrived anywhere, or right after they stored something (rarely stored things
 * first): trouble in an idle minute shows nothing.
 */
function strike(
  world: World,
  kinds: ReadonlySet<TroubleName>,
  happened: Happened,
): Pick<Trouble, "loseAfter" | "end"> & { stop: () => void } {
  const chance = chanceOf("strikes");
  let seen = network.seen().length;
  let due: { step: number; blow: Blow; instance: Instance | undefined }[] = [];
  const isOut = spells(chance, 0.15 * shareIn(world));
  let isCalm = false;
  let loses: string | null = null;
  const commits = new Map<string, number>();
  let restsUntil = loop.now;
  const hit = (instance: Instance, blow: Blow) => {
    const owner = instance.owner();
    if (!owner.alive || (blow !== "lost" && loop.now < restsUntil)) return;
    const isLast = world.instances.filter((one) => one.owner().alive).length === 1;
    if ((blow === "away" || blow === "lost") && isLast) return;
    if (world.plan.isTerm) restsUntil = loop.now + 2 * restInTermsMs * chance();
    if (blow === "short pause" || blow === "long pause") {
      happened.pauses += 1;
      const ms = blow === "long pause" ? awayMs[blow] : second + awayMs[blow] * chance();
      pause(owner, loop.now, loop.now + ms);
      return;
    }
    happened.kills += 1;
    instance.kill();
    if (blow !== "lost") world.later(awayMs[blow], () => void instance.start());
  };
  const notice = (arrived: Seen) => {
    if (arrived.port === ports.lms && chance() < 0.5) return;
    if (arrived.port === ports.classroom && kinds.has("lies")) {
      if (isOut()) world.classroom.addFault({ kind: "500", takesEffect: false });
      else if (chance() < 0.12 * shareIn(world)) lieAsClassroom(world, chance, happened);
    }
    const asking = world.instances.find((one) => one.owner() === arrived.from);
    if (asking !== undefined && kinds.has("pauses") && chance() < 0.05)
      due.push({ step: loop.steps + Math.floor(chance() * 8), blow: "long pause", instance: asking });
    if (chance() > 0.05) return;
    const blow = drawBlow(chance, kinds);
    const instance = world.instances[Math.floor(chance() * world.instances.length)];
    if (blow !== null) due.push({ step: loop.steps + Math.floor(chance() * 80), blow, instance });
  };
  store.committed = (collections) => {
    const instance = world.instances.find((one) => one.owner() === currentOwner());
    if (instance === undefined) return;
    // Its answers have not left yet.
    const next = { step: loop.steps + 1, instance };
    if (loses !== null && collections.has(loses)) {
      loses = null;
      store.turnMs = () => 0;
      due.push({ ...next, blow: "lost" });
    }
    if (isCalm) return;
    for (const collection of collections) {
      const number = commits.get(collection) ?? 0;
      commits.set(collection, number + 1);
      const share = rarelyStored.has(collection) ? 0.3 : 0.25 / (1 + number / 2);
      const blow = chance() < share ? drawBlow(chance, kinds) : null;
      if (blow !== null) due.push({ ...next, blow });
    }
  };
  loop.beforeStep = () => {
    const arrived = network.seen().length;
    for (; seen < arrived; seen += 1) {
      const one = network.seen()[seen];
      if (!isCalm && one !== undefined) notice(one);
    }
    const now = due.filter(({ step }) => step <= loop.steps);
    if (now.length === 0) return;
    due = due.filter(({ step }) => step > loop.steps);
    for (const { instance, blow } of now) if (instance !== undefined) hit(instance, blow);
  };
  return {
    stop: () => {
      isCalm = true;
      due = [];
    },
    loseAfter: (collection) => {
      if (!kinds.has("kills")) return;
      loses = collection;
      // Until the loss or the end of the day, work that is announced but not written, or the reverse, stays so for a while.
      if (kinds.has("busy")) store.turnMs = () => (isTool() ? second * chance() : 0);
    },
    end: () => {
      loop.beforeStep = () => undefined;
      store.committed = () => undefined;
    },
  };
}
