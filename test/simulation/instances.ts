import { AsyncLocalStorage } from "node:async_hooks";

/** Whose code runs: an instance of the tool, or everybody else (the stand-ins, the people, the simulation). */
export type Owner = {
  name: string;
  /** Counted over all owners in this program, whatever their names. */
  number: number;
  /** The process id on its machine. */
  pid: number;
  alive: boolean;
  /** In virtual ms; Infinity while it is alive. */
  diedAt: number;
  /** Until then nothing of it runs (virtual ms). */
  pausedUntil: number;
  /** When it was paused (virtual ms), oldest first. */
  pauses: { from: number; until: number }[];
  /** How far its clock is ahead (ms). */
  driftMs: number;
  /** What the operating system does for a process that dies: closes its sockets and files. */
  remains: Set<() => void>;
};

const scope = new AsyncLocalStorage<Owner>();

let owners = 0;

export function newOwner(name: string, pid: number): Owner {
  owners += 1;
  return {
    name,
    number: owners,
    pid,
    alive: true,
    diedAt: Infinity,
    pausedUntil: 0,
    pauses: [],
    driftMs: 0,
    remains: new Set(),
  };
}

const world = newOwner("world", 1);

export function currentOwner(): Owner {
  return scope.getStore() ?? world;
}

/** Everything that `work` starts belongs to the owner, however much later it runs. */
export function runAs<T>(owner: Owner, work: () => T): T {
  return scope.run(owner, work);
}

/** Like `kill -9`: nothing of it is called any longer, and none of its `finally` blocks runs. */
export function crash(owner: Owner, now: number): void {
  owner.alive = false;
  owner.diedAt = now;
  for (const leave of owner.remains) leave();
  owner.remains.clear();
}

/** Like SIGSTOP now, and SIGCONT at a virtual moment (ms). */
export function pause(owner: Owner, now: number, until: number): void {
  owner.pauses.push({ from: now, until });
  owner.pausedUntil = Math.max(owner.pausedUntil, until);
}
