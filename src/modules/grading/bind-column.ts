import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { sendAfterMove, type SendAfterMoveDeps } from "./emptied-column.ts";
import { gradeAfterChange, type GradeAfterChangeDeps } from "./grade-after-change.ts";
import { attendanceColumn, type Column, eventOfColumn, type OfferedLineItem } from "./rules/column.ts";
import type { ColumnKey } from "./store/column-store.ts";

export type BindColumnDeps = GradeAfterChangeDeps & Pick<App, "columns" | "deliveries" | "wake">;

/** Until the new address is stored (ms). */
const moveMs = 2_000;

/**
 * Binds the column of a launch's link; a column that used the line item before releases it. Scores of all columns that
 * move are due again; a session's column is filled with known scores. Where grades go to another column already, an
 * instructor is offered the link's, or told of it. @param columnKey Null: nothing is bound.
 */
export async function bindColumn(
  deps: BindColumnDeps,
  course: Course,
  launch: Pick<Launch, "grades" | "link"> & Partial<Pick<Launch, "rights">>,
  columnKey: string | null,
): Promise<void> {
  const { grades, link, rights } = launch;
  if (link === null || columnKey === null) return;
  const key = { registrationId: course.registrationId, courseId: course.id, key: columnKey };
  const lineItemUrl = grades?.lineItemUrl ?? null;
  if (lineItemUrl === null) await withoutColumn(deps, key, link.id, rights?.role ?? "learner");
  else await withColumn(deps, course, key, { lineItemUrl, linkId: link.id, label: link.title });
}

async function withColumn(
  deps: BindColumnDeps,
  course: Course,
  key: ColumnKey,
  { label, ...written }: { lineItemUrl: string; linkId: string; label: string },
): Promise<void> {
  const { lineItemUrl, linkId } = written;
  const column = await deps.columns.open(key, deps.ids.id("col"));
  const news = newsOf(column, written);
  if (news === "none" || (await isMadeForOther(deps, key, lineItemUrl))) return;
  if (news === "offer") return deps.columns.offer(column.id, { ...written, label });
  const concerned = eventOfColumn(key.key) === null ? [] : "everybody";
  await gradeAfterChange(deps, course, concerned, () =>
    move(deps, key, { id: column.id, linkId, lineItemUrl }),
  );
  deps.wake("deliveries");
}

/**
 * "offer": the activity got its grade after a column of ours was made (in Moodle only its own grade completes it), or it is a
 * duplicate, whose column nobody fills.
 */
function newsOf(
  { lineItemUrl, linkId, offered }: Pick<Column, "lineItemUrl" | "linkId" | "offered">,
  written: { lineItemUrl: string; linkId: string },
): "none" | "bind" | "offer" {
  if (lineItemUrl === written.lineItemUrl) return "none";
  if (lineItemUrl === null || linkId === written.linkId) return "bind";
  return offered?.lineItemUrl === written.lineItemUrl ? "none" : "offer";
}

/** Its own column may be one that is missing, whose successor Moodle does not name; or one too many that is gone. */
async function withoutColumn(
  { columns, clock, wake }: BindColumnDeps,
  key: ColumnKey,
  linkId: string,
  role: Launch["rights"]["role"],
): Promise<void> {
  const column = await columns.find(key);
  if (column === null) return;
  const { id, offered = null, missing = null } = column;
  if (offered?.linkId === linkId) await columns.endOffer(id, offered);
  if (missing === null || missing.leftOut) return;
  // A class that comes in costs one look.
  await columns.lookBy({ id }, clock.now() + (role === "instructor" ? 0 : learnersLookMs));
  wake("columns");
}

const learnersLookMs = 60_000;

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

type OfferedColumnDeps = Pick<App, "columns">;
type UseActivityColumnDeps = CourseAuditDeps & SendAfterMoveDeps & OfferedColumnDeps;

export type OfferedColumn = Column & { offered: OfferedLineItem };

/** Our own column of a course whose activity has got a line item since; null where there is nothing to choose. */
export function offeredAmong(
  columns: readonly Column[],
  { policy }: Pick<Course, "policy">,
): OfferedColumn | null {
  const column = columns.find(({ key }) => key === attendanceColumn);
  if (policy.kind !== "one-column" || column?.offered == null || column.lineItemUrl === null) return null;
  return column.linkId === null ? { ...column, offered: column.offered } : null;
}

/** The line item of a duplicated activity: nobody fills it, and totals may count it. Null where there is none. */
export function secondAmong(
  columns: readonly Column[],
  { policy }: Pick<Course, "policy">,
): OfferedLineItem | null {
  const column = columns.find(({ key }) => key === attendanceColumn);
  if (policy.kind !== "one-column" || column?.offered == null || column.lineItemUrl === null) return null;
  return column.linkId === null ? null : column.offered;
}

export async function offeredColumn(
  { columns }: OfferedColumnDeps,
  course: Pick<Course, "registrationId" | "id" | "policy">,
): Promise<OfferedColumn | null> {
  const { registrationId, id: courseId } = course;
  const column = await columns.find({ registrationId, courseId, key: attendanceColumn });
  return column === null ? null : offeredAmong([column], course);
}

/**
 * Sends all scores to the activity's own line item from now on; our column stays in the gradebook with its grades.
 * @param actor Person id. @returns false when there was nothing to choose
 */
export async function useActivityColumn(
  deps: UseActivityColumnDeps,
  course: Course,
  columnId: string,
  actor: string,
): Promise<boolean> {
  const column = await offeredColumn(deps, course);
  if (column?.id !== columnId) return false;
  const take = () => deps.columns.takeOffered(column.id, column.offered);
  if (!(await sendAfterMove(deps, column, take))) return false;
  await writeCourseAudit(deps, course, actor, {
    what: "column-of-activity",
    before: column.label ?? null,
  });
  return true;
}

/** Grades go on to our column; the other may still be chosen. @returns false when there was nothing to choose */
export async function keepColumn(
  deps: OfferedColumnDeps,
  course: Course,
  columnId: string,
): Promise<boolean> {
  const column = await offeredColumn(deps, course);
  return column?.id === columnId && (await deps.columns.leaveOffered(column.id, column.offered));
}
