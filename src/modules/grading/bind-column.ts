import { type Course, keyOfCourse } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import type { GradingApp } from "./grade-members.ts";
import { gradeAfterChange } from "./regrade.ts";
import { type Column, eventOfColumn } from "./rules/column.ts";
import type { ColumnKey } from "./store/column-store.ts";

/** How long storing the new address may take (ms). */
const moveMs = 2_000;

/**
 * Binds a column to the line item of a launch's link. Another column that used the line item releases it. Scores of all columns that
 * move are due again, and a session's column gets its known scores. If grades already go to another column, instructors are offered the
 * link's, or informed about it. @param columnKey Null: binds nothing.
 */
export async function bindColumn(
  app: GradingApp,
  course: Course,
  launch: Pick<Launch, "grades" | "link"> & Partial<Pick<Launch, "rights">>,
  columnKey: string | null,
): Promise<void> {
  const { grades, link, rights } = launch;
  if (link === null || columnKey === null) return;
  const key = { ...keyOfCourse(course), key: columnKey };
  const lineItemUrl = grades?.lineItemUrl ?? null;
  if (lineItemUrl === null) await withoutColumn(app, key, link.id, rights?.role ?? "learner");
  else await withColumn(app, course, key, { lineItemUrl, linkId: link.id, label: link.title });
}

async function withColumn(
  app: GradingApp,
  course: Course,
  key: ColumnKey,
  { label, ...written }: { lineItemUrl: string; linkId: string; label: string },
): Promise<void> {
  const { lineItemUrl, linkId } = written;
  const column = await app.columns.open(key, app.ids.id("col"));
  const news = newsOf(column, written);
  if (news === "none" || (await isMadeForOther(app, key, lineItemUrl))) return;
  if (news === "offer") return app.columns.offer(column.id, { ...written, label });
  const concerned = eventOfColumn(key.key) === null ? [] : "everybody";
  await gradeAfterChange(app, course, concerned, () =>
    move(app, key, { id: column.id, linkId, lineItemUrl }),
  );
  app.wake("deliveries");
}

/**
 * "offer": the activity got its grade after we made a column (in Moodle, only its own grade completes it), or the activity is a
 * duplicate, whose column gets no scores.
 */
function newsOf(
  { lineItemUrl, linkId, offered }: Pick<Column, "lineItemUrl" | "linkId" | "offered">,
  written: { lineItemUrl: string; linkId: string },
): "none" | "bind" | "offer" {
  if (lineItemUrl === written.lineItemUrl) return "none";
  if (lineItemUrl === null || linkId === written.linkId) return "bind";
  return offered?.lineItemUrl === written.lineItemUrl ? "none" : "offer";
}

/** The link's own column may be missing (Moodle doesn't name its successor), or it was a duplicate that is gone. */
async function withoutColumn(
  { columns, clock, wake }: GradingApp,
  key: ColumnKey,
  linkId: string,
  role: Launch["rights"]["role"],
): Promise<void> {
  const column = await columns.find(key);
  if (column === null) return;
  const { id, offered = null, missing = null } = column;
  if (offered?.linkId === linkId) await columns.endOffer(id, offered);
  if (missing === null || missing.leftOut) return;
  // While a class arrives, the column is checked only once.
  await columns.checkBy({ id }, clock.now() + (role === "instructor" ? 0 : learnersCheckMs));
  wake("columns");
}

const learnersCheckMs = 60_000;

/**
 * Whether the link's line item is another column of ours: Open edX names a link's first line item as its own (lti_consumer/models.py,
 * _setup_lti_1p3_ags).
 */
async function isMadeForOther(
  { columns }: Pick<GradingApp, "columns">,
  { registrationId, courseId, key }: ColumnKey,
  lineItemUrl: string,
): Promise<boolean> {
  const all = await columns.listOfCourse(registrationId, courseId);
  return all.some((one) => one.lineItemUrl === lineItemUrl && one.key !== key && one.linkId === null);
}

/** Makes scores due first and gives `key` its address last, so after a crash the next launch does the rest. */
async function move(
  app: GradingApp,
  key: ColumnKey,
  { id, linkId, lineItemUrl }: { id: string; linkId: string; lineItemUrl: string },
): Promise<void> {
  const all = await app.columns.listOfCourse(key.registrationId, key.courseId);
  const letGo = all.filter((one) => one.lineItemUrl === lineItemUrl && one.key !== key.key);
  const now = app.clock.now();
  for (const one of [...letGo, key]) await retry(app, { ...key, key: one.key }, now + moveMs);
  await app.columns.uncoupleOthers(key, lineItemUrl);
  await app.columns.couple(id, linkId, lineItemUrl);
  for (const one of [...letGo, key]) await retry(app, { ...key, key: one.key }, now);
}

async function retry(app: GradingApp, column: ColumnKey, at: number): Promise<void> {
  const { registrationId, courseId, key: columnKey } = column;
  await app.deliveries.retryColumn({ registrationId, courseId, columnKey }, app.clock.now(), at);
}
