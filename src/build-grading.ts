import { regradeInstitution, type RegradeInstitutionDeps } from "./modules/grading/institution-regrade.ts";
import { payOwedGrading, type GradeAfterChangeDeps } from "./modules/grading/grade-after-change.ts";
import { lookAtOldColumn, type LookAtOldColumnDeps } from "./modules/grading/look-at-column.ts";
import { regradeCourse, type RegradeCourseDeps } from "./modules/grading/regrade-course.ts";
import { tellColumn, type TellColumnDeps } from "./modules/grading/tell-column.ts";
import { createWorker, untilWoken, type Worker } from "./tasks/create-worker.ts";

/** The worker that computes courses anew, sees to scores that a crash left undone, and keeps columns' names. */
export type Grading = { worker: Worker; columns: Pick<Worker, "wake"> };

/** Puts together the computing of grades in the background: one course at a time in each process. */
export function buildGrading(
  deps: Omit<RegradeCourseDeps, "ending"> &
    GradeAfterChangeDeps &
    RegradeInstitutionDeps &
    TellColumnDeps &
    LookAtOldColumnDeps,
): Grading {
  const ending = new AbortController();
  const grading = { ...deps, ending: ending.signal };
  const worker = createWorker(deps, {
    name: "grading",
    lanes: 1,
    idleMs: untilWoken,
    step: async () =>
      (await regradeCourse(grading)) ||
      (await payOwedGrading(grading)) ||
      (await regradeInstitution(grading)),
  });
  // Of its own: an LMS that is slow to answer holds up no computing.
  const columns = createWorker(deps, {
    name: "columns",
    lanes: 1,
    // Old columns are looked at once a day: now and then is often enough.
    idleMs: untilWoken,
    step: async () => (await tellColumn(deps)) || (await lookAtOldColumn(deps)),
  });
  return {
    columns,
    worker: {
      start: () => {
        worker.start();
        columns.start();
      },
      wake: worker.wake,
      stop: async () => {
        ending.abort();
        await Promise.all([worker.stop(), columns.stop()]);
      },
    },
  };
}
