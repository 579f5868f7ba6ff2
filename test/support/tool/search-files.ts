import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Which of some texts occur in any file of a folder, as "file: text". Another process reads: closing a file releases every lock that a
 * process has on it, including SQLite's.
 */
export async function textsInFiles(folder: string, texts: readonly string[]): Promise<string[]> {
  const files = (await readdir(folder)).toSorted();
  const found: string[] = [];
  for (const file of files) {
    // Usually none occurs, and a process for each would be expensive.
    if (!(await holds(join(folder, file), texts))) continue;
    for (const text of texts) if (await holds(join(folder, file), [text])) found.push(`${file}: ${text}`);
  }
  return found;
}

/** Whether any of the texts occurs in a file. */
function holds(file: string, texts: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    execFile("grep", ["-q", "-a", "-F", ...texts.flatMap((text) => ["-e", text]), file], (error) => {
      if (error === null) resolve(true);
      else if (error.code === 1) resolve(false);
      else reject(new Error(`grep could not read ${file}`, { cause: error }));
    });
  });
}
