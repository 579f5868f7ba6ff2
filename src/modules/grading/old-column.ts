import type { App } from "../../app.ts";
import { attendanceColumn, type Column } from "./rules/column.ts";
import type { Course } from "../../domain/course.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { LineItems } from "../../lms/line-items.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import {
  requireActiveRegistration,
  type RequireActiveRegistrationDeps,
} from "../registration/require-active-registration.ts";

export type OldColumnDeps = Pick<App, "columns">;
export type RemoveOldColumnDeps = CourseAuditDeps &
  RequireActiveRegistrationDeps &
  Pick<App, "columns"> & {
    lineItems: Pick<LineItems, "remove">;
  };

export type OldColumn = Column & { lineItemUrl: string };

/** The attendance column, where sessions have their own and the gradebook still has it. */
export async function oldColumn(deps: OldColumnDeps, course: Course): Promise<OldColumn | null> {
  if (course.policy.kind !== "column-per-session") return null;
  const key = { registrationId: course.registrationId, courseId: course.id, key: attendanceColumn };
  const column = await deps.columns.find(key);
  const lineItemUrl = column?.lineItemUrl ?? null;
  return column === null || lineItemUrl === null ? null : { ...column, lineItemUrl };
}

/** A link's own column is deleted only in the LMS. */
export function isOurs({ linkId }: Pick<Column, "linkId">): boolean {
  return linkId === null;
}

/** With its grades. @param actor Person id. @returns false: none of ours @throws NamedError "column-not-removed" */
export async function removeOldColumn(
  deps: RemoveOldColumnDeps,
  course: Course,
  actor: string,
): Promise<boolean> {
  const column = await oldColumn(deps, course);
  if (column === null || !isOurs(column)) return false;
  const registration = await requireActiveRegistration(deps, course);
  const target = { registration, scopes: course.gradeScopes };
  await deps.lineItems.remove(target, column.lineItemUrl).catch((thrown: unknown) => {
    if (!(thrown instanceof NamedError)) throw thrown;
    throw refusal("column-not-removed", { values: { reason: thrown.message }, status: 502 });
  });
  const missing = { at: deps.clock.now(), tied: false, leftOut: false };
  await deps.columns.lose(column.id, column.lineItemUrl, missing);
  await writeCourseAudit(deps, course, actor, { what: "column-removed", before: column.label ?? null });
  return true;
}
