import type { DemoWorld } from "./demo-world.ts";
import { demoSeed } from "./demo-seed.ts";

/** Cohorts for sections of the demo's courses. */
const planned = [
  { programId: "biology-2026", name: "Biology 101 Section A", course: "2", section: "1" },
  { programId: "biology-2026", name: "Biology 101 Section B", course: "2", section: "2" },
  { programId: "history-2026", name: "HIS205 Morning", course: "3", section: "3" },
  { programId: "history-2026", name: "HIS205 Evening", course: "3", section: "4" },
] as const;

const stranger = "user-of-the-registrar";
/** (ms) between checks for new classroom users. */
const pollMs = 3_000;

/**
 * Two programs with cohorts named like the demo's sections, filled as classroom users appear; each lacks its section's first learner and
 * has a stranger. @returns a function that ends the checks.
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
        cohort.names.clear(); // deleted in the host controls
      }
    }
  };
  const timer = setInterval(look, pollMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}
