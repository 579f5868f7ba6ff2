import type { DemoWorld } from "./demo-world.ts";
import { demoSeed } from "./demo-seed.ts";

/** Which cohort the classroom's own people keep for which section of the demo's courses. */
const planned = [
  { programId: "biology-2026", name: "Biology 101 Section A", course: "2", section: "1" },
  { programId: "biology-2026", name: "Biology 101 Section B", course: "2", section: "2" },
  { programId: "history-2026", name: "HIS205 Morning", course: "3", section: "3" },
  { programId: "history-2026", name: "HIS205 Evening", course: "3", section: "4" },
] as const;

/** Somebody of whom the LMS knows nothing. */
const stranger = "user-of-the-registrar";
/** So often it is looked whether more of the LMS's people have a user in the classroom (ms). */
const lookEvery = 3_000;

/**
 * Two programs with cohorts whose names are like those of the demo's sections. They fill as the tool makes the LMS's people
 * known to the classroom; the first learner of each section is forgotten, and somebody else is in it.
 * @returns stops looking.
 */
export function keepDemoCohorts({ classroom }: Pick<DemoWorld, "classroom">): () => void {
  const cohorts = planned.map(({ programId, name, course, section }) => {
    const learners = (demoSeed.courses.find(({ id }) => id === course)?.people ?? [])
      .filter(({ role, sections }) => role === "student" && sections.includes(section))
      .slice(1)
      .map(({ given, family }) => `${given} ${family}`);
    const { cohortId } = classroom.createCohort({ programId, name, attendeeIds: [stranger] });
    return { cohortId, names: new Set(learners), filled: 0 };
  });
  const look = () => {
    const users = classroom.users();
    for (const cohort of cohorts) {
      const known = users.filter(({ name }) => cohort.names.has(name)).map(({ userId }) => userId);
      if (known.length === cohort.filled) continue;
      cohort.filled = known.length;
      try {
        classroom.updateCohort({ cohortId: cohort.cohortId, attendeeIds: [...known, stranger] });
      } catch {
        cohort.names.clear(); // somebody has deleted it in the host controls
      }
    }
  };
  const timer = setInterval(look, lookEvery);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
