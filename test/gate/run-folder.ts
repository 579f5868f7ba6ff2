import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux's file system in memory, and how much room (bytes) it must have for the tests' files, which take a tenth of that. */
const inMemory = "/dev/shm";
const enoughRoom = 2 * 1024 ** 3;

/**
 * A new folder for what a run and its tests write: in memory if there is room, since a tool waits for the disk after every commit. The
 * tests cover crashes by killing processes; no test cuts the power.
 */
export function makeFolder(use: "gate" | "mutants"): string {
  const { bavail, bsize } = existsSync(inMemory) ? statfsSync(inMemory) : { bavail: 0, bsize: 0 };
  return mkdtempSync(join(bavail * bsize < enoughRoom ? tmpdir() : inMemory, `spaces-lti-${use}-`));
}

/** A folder that a test has locked must not hide the verdict. */
export function clearAway(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (thrown) {
    console.error(`${folder} could not be cleared away: ${String(thrown)}`);
  }
}
