import { regradeInstitution, type RegradeInstitutionDeps } from "./features/courses/institution-regrade.ts";
import { payOwedGrading, type GradeAfterChangeDeps } from "./features/grading/grade-after-change.ts";
import { regradeCourse, type RegradeCourseDeps } from "./features/grading/regrade-course.ts";
import { tellColumn, type TellColumnDeps } from "./features/grading/tell-column.ts";
import { createWorker, type Worker } from "./jobs/create-worker.ts";

/** The worker that computes courses anew, sees to scores that a crash left undone, and keeps columns' names. */
export type Grading = { worker: Worker };

/** Puts together the computing of grades in the background: one course at a time in each process. */
export function buildGrading(
  deps: Omit<RegradeCourseDeps, "ending"> & GradeAfterChangeDeps & RegradeInstitutionDeps & TellColumnDeps,
): Grading {
  const ending = new AbortController();
  const grading = { ...deps, ending: ending.signal };
  const worker = createWorker(deps, {
    name: "grading",
    lanes: 1,
    idleMs: 2_000,
    step: async () =>
      (await regradeCourse(grading)) ||
      (await payOwedGrading(grading)) ||
      (await regradeInstitution(grading)),
  });
  // Of its own: an LMS that is slow to answer holds up no computing.
  const columns = createWorker(deps, {
    name: "columns",
    lanes: 1,
    idleMs: 3_000,
    step: () => tellColumn(deps),
  });
  return {
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
