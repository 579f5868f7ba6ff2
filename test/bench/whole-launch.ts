import { readFileSync } from "node:fs";
import { claimsOf } from "../support/tool/tiny-world.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { startQueueWorld } from "./queue-world.ts";
import { type Framed, launchFramed, pageOf, type Prepared, prepareLaunch } from "./walk-in.ts";

/** The whole tool as operators run it, and signed launches of learners that only have to be posted. */
export type WholeTool = {
  prepare: (count: number) => Promise<Prepared[]>;
  /** Opens the link in a frame of the LMS's page. */
  launch: (prepared: Prepared) => Promise<Framed>;
  /** The course's home page, where that leads. */
  page: (framed: Framed) => Promise<void>;
  /** CPU that its process has used so far (ms). */
  cpu: () => number;
  close: () => Promise<void>;
};

/** Linux counts a process's CPU in hundredths of a second. */
const msPerTick = 10;

/** Starts it with one LMS and one course; every learner comes for the first time. */
export async function startWholeTool(): Promise<WholeTool> {
  const world = await startQueueWorld({ people: 1, processes: 1 });
  const [tool] = world.tools;
  if (tool === undefined) throw new Error("there is no tool");
  let comers = 0;
  return {
    prepare: async (count) => {
      const ready: Prepared[] = [];
      for (let n = 0; n < count; n += 1) {
        comers += 1;
        const claims = claimsOf({ sub: `comer-${comers}`, name: `Lena ${comers}`, roles: [learnerRole] });
        ready.push(await prepareLaunch(world, tool, claims));
      }
      return ready;
    },
    launch: (prepared) => launchFramed(tool.url, prepared),
    page: async (framed) => {
      const response = await pageOf(framed);
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`a framed launch answered ${response.status}`);
    },
    cpu: () => {
      // Fields 14 and 15 of proc(5), counted after the name, which may hold spaces.
      const stat = readFileSync(`/proc/${String(tool.child.pid)}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (Number(fields[11]) + Number(fields[12])) * msPerTick;
    },
    close: world.close,
  };
}
