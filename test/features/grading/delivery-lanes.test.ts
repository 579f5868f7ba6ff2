import { afterAll, afterEach, expect, test, vi } from "vitest";
import { sessionColumn } from "../../../src/modules/grading/rules/column.ts";
import { deliveryStep } from "../../../src/modules/grading/deliver-scores.ts";
import {
  closeGradebooks,
  type GradebookCourse,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";
import { required } from "../../support/required.ts";

let world: GradebookCourse;
afterEach(() => world.end());
afterAll(closeGradebooks);

/** Scores of one learner in that many columns: each column is a claim of its own. */
async function wantInColumns(count: number): Promise<void> {
  const columns = Array.from({ length: count }, (_, n) => sessionColumn(`${world.lmsCourse}-${n + 1}`));
  for (const key of columns) {
    const id = `col_${key}`;
    await world.stores.columns.open({ ...world.place, key }, id);
    await world.stores.columns.couple(id, `link ${key}`, `${world.course.lineItemsUrl ?? ""}#${id}`);
  }
  await world.want("11", Object.fromEntries(columns.map((key) => [key, 50])));
}

/** A process whose calls to the LMS stay open until the test lets them go. */
function openProcess(open: Set<() => void>): () => Promise<boolean> {
  return deliveryStep({
    ...world.deps,
    scores: {
      ...world.deps.scores,
      canReadResults: () => false,
      send: () =>
        new Promise((resolve) => {
          open.add(() => {
            resolve({ kind: "accepted" });
          });
        }),
    },
  });
}

test("one LMS first gets three calls from a process and ten from all, however many lanes there are", async () => {
  world = await openGradebookCourse("other");
  await wantInColumns(13);
  const open = new Set<() => void>();
  const [last, ...processes] = Array.from({ length: 4 }, () => openProcess(open));
  const steps: Promise<boolean>[] = [];
  for (const [n, process] of processes.entries()) {
    steps.push(...Array.from({ length: 8 }, process));
    await vi.waitFor(() => expect(open.size).toBe(3 * (n + 1)), 30_000);
    // The other five lanes found nothing they may claim.
    expect(await process()).toBe(false);
  }
  const step = required(last);
  steps.push(step());
  await vi.waitFor(() => expect(open.size).toBe(10), 30_000);
  expect(await step()).toBe(false);
  for (const answer of open) answer();
  await Promise.all(steps);
  open.clear();
  const next = step();
  await vi.waitFor(() => expect(open.size).toBe(1), 30_000);
  for (const answer of open) answer();
  expect(await next).toBe(true);
});
