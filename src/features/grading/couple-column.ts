import { eventOfColumn } from "../../domain/column.ts";
import type { Course } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import type { ColumnKey, ColumnStore } from "../../storage/column-store.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import { gradeAfterChange, type GradeAfterChangeDeps } from "./grade-after-change.ts";

export type CoupleColumnDeps = GradeAfterChangeDeps & {
  columns: ColumnStore;
  deliveries: Pick<DeliveryStore, "retryColumn">;
  /** Wakes the delivery worker. */
  onScoreWanted: () => void;
};

/** What moves is not tried for so long (ms): until then its new address is stored. */
const moveTakes = 2_000;

/**
 * Remembers the column that the LMS tied to the link of a launch as the course's column `columnKey`. A column of
 * the course that wrote into it before (the link opened something else then) lets go of it. Scores of every column
 * that moves are due once more; a session's column is filled with what is known already.
 */
export async function coupleColumn(
  deps: CoupleColumnDeps,
  course: Course,
  launch: Pick<Launch, "grades" | "link">,
  columnKey: string | null,
): Promise<void> {
  const lineItemUrl = launch.grades?.lineItemUrl ?? null;
  const linkId = launch.link?.id ?? null;
  if (lineItemUrl === null || linkId === null || columnKey === null) return;
  const key = { registrationId: course.registrationId, courseId: course.id, key: columnKey };
  const column = await deps.columns.open(key, deps.ids.id("col"));
  if (column.lineItemUrl === lineItemUrl) return;
  // Told again at every launch of another link, and no news.
  if (column.lineItemUrl !== null && column.linkId !== linkId) return;
  const concerned = eventOfColumn(columnKey) === null ? [] : "everybody";
  await gradeAfterChange(deps, course, concerned, () =>
    move(deps, key, { id: column.id, linkId, lineItemUrl }),
  );
  deps.onScoreWanted();
}

/**
 * Scores are due before anything moves, and the address of `key` is stored last: whenever this process ends, the next
 * launch finds it undone, and no score was told about only by a process that is gone.
 */
async function move(
  deps: CoupleColumnDeps,
  key: ColumnKey,
  { id, linkId, lineItemUrl }: { id: string; linkId: string; lineItemUrl: string },
): Promise<void> {
  const all = await deps.columns.listOfCourse(key.registrationId, key.courseId);
  const letGo = all.filter((one) => one.lineItemUrl === lineItemUrl && one.key !== key.key);
  const now = deps.clock.now();
  for (const one of [...letGo, key]) await retry(deps, { ...key, key: one.key }, now + moveTakes);
  await deps.columns.uncoupleOthers(key, lineItemUrl);
  await deps.columns.couple(id, linkId, lineItemUrl);
  for (const one of [...letGo, key]) await retry(deps, { ...key, key: one.key }, now);
}

async function retry(deps: CoupleColumnDeps, column: ColumnKey, at: number): Promise<void> {
  const { registrationId, courseId, key: columnKey } = column;
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, deps.clock.now(), at);
}
