import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

const make = () => mkdtemp(join(tmpdir(), "spaces-lti-test-"));
const remove = (folder: string) => rm(folder, { recursive: true, force: true });

/** A folder for all tests of a file; it is deleted after the last. To be awaited at the file's top level. */
export async function folderForAll(): Promise<string> {
  const folder = await make();
  afterAll(() => remove(folder));
  return folder;
}

/** A folder for one test; it is deleted when that has finished. To be called in the test, or before each. */
export async function folderForTest(): Promise<string> {
  const folder = await make();
  onTestFinished(() => remove(folder));
  return folder;
}
