import type { App } from "../../app.ts";
import { type Column, eventOfColumn } from "./rules/column.ts";
import type { Course } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import type { ColumnKey } from "./store/column-store.ts";
import { gradeAfterChange, type GradeAfterChangeDeps } from "./grade-after-change.ts";

export type BindColumnDeps = GradeAfterChangeDeps & Pick<App, "columns" | "deliveries" | "wake">;

/** Until the new address is stored (ms). */
const moveMs = 2_000;

/**
 * Binds the column of a launch's link; a column that used the line item before releases it. Scores of all columns that
 * move are due again; a session's column is filled with known scores. Where grades go to a column of ours already, an
 * instructor is offered the link's. @param columnKey Null: nothing is bound.
 */
export async function bindColumn(
  deps: BindColumnDeps,
  course: Course,
  launch: Pick<Launch, "grades" | "link">,
  columnKey: string | null,
): Promise<void> {
  const lineItemUrl = launch.grades?.lineItemUrl ?? null;
  const linkId = launch.link?.id ?? null;
  if (lineItemUrl === null || linkId === null || columnKey === null) return;
  const key = { registrationId: course.registrationId, courseId: course.id, key: columnKey };
  const column = await deps.columns.open(key, deps.ids.id("col"));
  const written = { lineItemUrl, linkId };
  const news = newsOf(column, written);
  if (news === "none" || (await isMadeForOther(deps, key, lineItemUrl))) return;
  if (news === "offer") return deps.columns.offer(column.id, written);
  const concerned = eventOfColumn(columnKey) === null ? [] : "everybody";
  await gradeAfterChange(deps, course, concerned, () =>
    move(deps, key, { id: column.id, linkId, lineItemUrl }),
  );
  deps.wake("deliveries");
}

/**
 * "none" also when launches of other links repeat it. "offer": the activity got its grade after a column of ours was made (in Moodle
 * only its own grade completes it).
 */
function newsOf(
  { lineItemUrl, linkId, offered }: Pick<Column, "lineItemUrl" | "linkId" | "offered">,
  written: { lineItemUrl: string; linkId: string },
): "none" | "bind" | "offer" {
  if (lineItemUrl === written.lineItemUrl) return "none";
  if (lineItemUrl === null || linkId === written.linkId) return "bind";
  return linkId === null && offered?.lineItemUrl !== written.lineItemUrl ? "offer" : "none";
}

/** Open edX names a link's first line item as its own (lti_consumer/models.py, _setup_lti_1p3_ags). */
async function isMadeForOther(
  { columns }: Pick<BindColumnDeps, "columns">,
  { registrationId, courseId, key }: ColumnKey,
  lineItemUrl: string,
): Promise<boolean> {
  const all = await columns.listOfCourse(registrationId, courseId);
  return all.some((one) => one.lineItemUrl === lineItemUrl && one.key !== key && one.linkId === null);
}

/** Scores are due first, and `key` gets its address last: after a crash the next launch does the rest. */
async function move(
  deps: BindColumnDeps,
  key: ColumnKey,
  { id, linkId, lineItemUrl }: { id: string; linkId: string; lineItemUrl: string },
): Promise<void> {
  const all = await deps.columns.listOfCourse(key.registrationId, key.courseId);
  const letGo = all.filter((one) => one.lineItemUrl === lineItemUrl && one.key !== key.key);
  const now = deps.clock.now();
  for (const one of [...letGo, key]) await retry(deps, { ...key, key: one.key }, now + moveMs);
  await deps.columns.uncoupleOthers(key, lineItemUrl);
  await deps.columns.couple(id, linkId, lineItemUrl);
  for (const one of [...letGo, key]) await retry(deps, { ...key, key: one.key }, now);
}

async function retry(deps: BindColumnDeps, column: ColumnKey, at: number): Promise<void> {
  const { registrationId, courseId, key: columnKey } = column;
  await deps.deliveries.retryColumn({ registrationId, courseId, columnKey }, deps.clock.now(), at);
}
