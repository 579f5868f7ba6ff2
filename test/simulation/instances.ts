import { AsyncLocalStorage } from "node:async_hooks";

/** Whose code runs: an instance of the tool, or everybody else (the stand-ins, the people, the simulation). */
export type Owner = {
  name: string;
  /** Of all owners of this program, whatever their names. */
  number: number;
  /** How its machine names its process. */
  pid: number;
  alive: boolean;
  /** Virtual ms; never while it is alive. */
  diedAt: number;
  /** Nothing of it runs before (virtual ms). */
  pausedUntil: number;
  /** When it stood still (virtual ms), oldest first. */
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

/** All that `work` starts belongs to the owner, however much later it runs. */
export function runAs<T>(owner: Owner, work: () => T): T {
  return scope.run(owner, work);
}

/** As `kill -9`: nothing of it is called any more, and no `finally` of it runs. */
export function crash(owner: Owner, now: number): void {
  owner.alive = false;
  owner.diedAt = now;
  for (const leave of owner.remains) leave();
  owner.remains.clear();
}

/** As SIGSTOP now, and SIGCONT at a virtual moment (ms). */
export function pause(owner: Owner, now: number, until: number): void {
  owner.pauses.push({ from: now, until });
  owner.pausedUntil = Math.max(owner.pausedUntil, until);
}
