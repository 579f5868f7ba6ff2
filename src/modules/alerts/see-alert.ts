import type { Course } from "../../domain/course.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { ClassroomAlertStore } from "./store/classroom-alert-store.ts";
import { listAlerts, type ListAlertsDeps } from "./list-open-alerts.ts";

export type SeeAlertDeps = ListAlertsDeps & {
  classroomAlerts: Pick<ClassroomAlertStore, "markSeen">;
  clock: Clock;
};

/**
 * Notes that an instructor has seen an alert of their course as it stands, which takes it off the home page.
 * @returns false when it has changed since; then it is still to be seen.
 * @throws NamedError "alert-unknown" when the course has no such alert.
 */
export async function seeAlert(
  deps: SeeAlertDeps,
  course: Course,
  { alertId, revision, personId }: { alertId: string; revision: number; personId: string },
): Promise<boolean> {
  const alerts = await listAlerts(deps, course);
  if (!alerts.some(({ alert }) => alert.alertId === alertId)) {
    throw new NamedError("alert-unknown", "This alert is not one of the course's any more.", { status: 404 });
  }
  const seen = { personId, at: deps.clock.now() };
  return deps.classroomAlerts.markSeen(course.environment, alertId, revision, seen);
}
