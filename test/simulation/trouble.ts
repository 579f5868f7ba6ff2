import { chanceOf, store } from "./edges.ts";
import { pause } from "./instances.ts";
import { loop } from "./loop.ts";
import { type Fate, network } from "./network.ts";
import { oneOf } from "./story.ts";
import { ports, type World } from "./world.ts";

/** What may go wrong while the story is lived through. */
export const troubles = ["kills", "network", "webhooks", "pauses", "clocks", "lies", "busy"] as const;
export type TroubleName = (typeof troubles)[number];

/** What went wrong, to be told beside a broken law. */
export type Happened = { kills: number; pauses: number; cuts: number; lies: number };
export const nothingHappened = (): Happened => ({ kills: 0, pauses: 0, cuts: 0, lies: 0 });

const restartMs = 2_000;
const stoppedMs = 30_000;

/** The network of a world; all is well on it until `begin`. */
export function quietNetwork(): void {
  const chance = chanceOf("network");
  network.clear({
    fateOf: () => ({ delayMs: 0.5 + 4 * chance(), isCut: false }),
    choose: (count) => Math.floor(chance() * count),
  });
}

/** Begins trouble of these kinds; it ends when what comes back is called. */
export function begin(
  world: World,
  kinds: ReadonlySet<TroubleName>,
  happened: Happened,
): { end: () => void } {
  if (kinds.has("network")) breakNetwork(happened);
  if (kinds.has("webhooks")) world.classroom.setWebhookSwitches({ duplicates: true, reorder: true });
  if (kinds.has("clocks")) setApart(world);
  if (kinds.has("lies")) lieAsLms(world);
  if (kinds.has("busy")) {
    const chance = chanceOf("busy store");
    store.isBusy = () => chance() < 0.1;
  }
  const shares = { kill: kinds.has("kills") ? 0.12 : 0, pause: kinds.has("pauses") ? 0.05 : 0 };
  strike(world, happened, { ...shares, lie: kinds.has("lies") ? 0.08 : 0 });
  return {
    end: () => {
      loop.beforeStep = () => undefined;
      store.isBusy = () => false;
      world.lms.faults.clear();
      world.classroom.clearFaults();
      network.setFate(() => ({ delayMs: 1, isCut: false }));
      world.classroom.setWebhookSwitches({ duplicates: false, reorder: false });
    },
  };
}

/** Of a hundred messages some come seconds late, and some break their connection. */
function breakNetwork(happened: Happened): void {
  const chance = chanceOf("broken network");
  network.setFate((from, port): Fate => {
    const luck = chance();
    // The throttle reckons with what the way to the classroom usually takes (record 0012): only answers come late.
    const isCall = port === ports.classroom && from !== "classroom";
    if (luck < 0.02) {
      happened.cuts += 1;
      return { delayMs: 1, isCut: true };
    }
    return { delayMs: luck < 0.05 && !isCall ? 15_000 * chance() : 0.5 + 4 * chance(), isCut: false };
  });
}

/** Machines' clocks, seconds apart. */
function setApart({ instances }: World): void {
  instances.forEach((instance, at) => {
    instance.setDrift(((at % 3) - 1) * 8_000);
  });
}

/** Some of the LMS's services fail, are slow, or do what they are asked without an answer. */
function lieAsLms({ lms }: World): void {
  lms.faults.add({ on: "all", how: "answer", status: 500, share: 0.04 });
  lms.faults.add({ on: "all", how: "answer", status: 429, retryAfter: 5, share: 0.03 });
  lms.faults.add({ on: "all", how: "maintenance", share: 0.02 });
  lms.faults.add({ on: "all", how: "slow", delayMs: 8_000, share: 0.04 });
  lms.faults.add({ on: "all", how: "lose-answer", share: 0.04 });
}

const lies = ["429", "500", "garbage", "slow", "drop"] as const;

/** The classroom's next call fails, whether it takes effect or not. */
function lieAsClassroom({ classroom }: World, chance: () => number, happened: Happened): void {
  const takesEffect = chance() < 0.5;
  if (takesEffect) happened.lies += 1;
  classroom.addFault({ kind: oneOf(chance, lies), takesEffect, retryAfterSeconds: 3 });
}

/** Instances die, or stand still, a few events after something arrived anywhere: trouble in an idle minute shows nothing. */
function strike(
  world: World,
  happened: Happened,
  shares: { kill: number; pause: number; lie: number },
): void {
  const chance = chanceOf("strikes");
  let seen = network.seen().length;
  let due: { step: number; isKill: boolean; at: number }[] = [];
  loop.beforeStep = () => {
    const arrived = network.seen().length;
    for (; seen < arrived; seen += 1) {
      if (network.seen()[seen]?.port === ports.lms && chance() < 0.5) continue;
      if (network.seen()[seen]?.port === ports.classroom && chance() < shares.lie)
        lieAsClassroom(world, chance, happened);
      const luck = chance();
      if (luck >= shares.kill + shares.pause) continue;
      const step = loop.steps + Math.floor(chance() * 80);
      due.push({ step, isKill: luck < shares.kill, at: Math.floor(chance() * world.instances.length) });
    }
    const [now, later] = [
      due.filter(({ step }) => step <= loop.steps),
      due.filter(({ step }) => step > loop.steps),
    ];
    due = later;
    for (const { isKill, at } of now) {
      const instance = world.instances[at];
      if (instance === undefined || !instance.owner().alive) continue;
      if (isKill) {
        happened.kills += 1;
        instance.kill();
        world.later(restartMs, () => void instance.start());
      } else {
        happened.pauses += 1;
        pause(instance.owner(), loop.now + stoppedMs);
      }
    }
  };
}
