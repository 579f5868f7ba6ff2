import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import type { HttpsWorld } from "../support/browser/https-world.ts";
import { chosenCells, engines, lmsNames } from "./cells.ts";
import type { Found } from "./page.ts";
import { startEngine, startLms, walk } from "./walk.ts";

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merged with Vitest's own
  interface TaskMeta {
    found?: Found;
    /** The file with a picture of what failed. */
    picture?: string;
  }
}

const engine = engines.find((name) => name === process.env["COMPATIBILITY_ENGINE"]);
const asked = (process.env["COMPATIBILITY_CELLS"] ?? "").split(" ").filter((name) => name !== "");
const pictures = process.env["COMPATIBILITY_PICTURES"];

for (const lms of lmsNames) {
  const ours = chosenCells(asked).filter((cell) => cell.engine === engine && cell.lms === lms);
  if (ours.length > 0)
    describe(lms, () => {
      /** Started by the first walk; if that fails (its port was taken), by the next attempt. */
      let started: HttpsWorld | undefined;
      afterAll(() => started?.close());

      // Not test.for, which shortens long names.
      for (const cell of ours)
        test(cell.name, async ({ task: { meta } }) => {
          const world = (started ??= await startLms(lms));
          const browser = await startEngine(cell, world);
          try {
            meta.found = await walk(cell, browser, world);
          } catch (thrown) {
            if (pictures !== undefined) {
              const picture = `${cell.name.replaceAll("/", "-")}.png`;
              await writeFile(join(pictures, picture), await browser.picture());
              meta.picture = picture;
            }
            throw thrown;
          } finally {
            await browser.close();
          }
        });
    });
}
