import { regradeInstitution, type RegradeInstitutionDeps } from "./features/courses/institution-regrade.ts";
import { payOwedGrading, type GradeAfterChangeDeps } from "./features/grading/grade-after-change.ts";
import { regradeCourse, type RegradeCourseDeps } from "./features/grading/regrade-course.ts";
import { createWorker, type Worker } from "./jobs/create-worker.ts";

/** The worker that computes courses anew and sees to scores that a crash left undone. */
export type Grading = { worker: Worker };

/** Puts together the computing of grades in the background: one course at a time in each process. */
export function buildGrading(
  deps: Omit<RegradeCourseDeps, "ending"> & GradeAfterChangeDeps & RegradeInstitutionDeps,
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
  return {
    worker: {
      ...worker,
      stop: () => {
        ending.abort();
        return worker.stop();
      },
    },
  };
}
