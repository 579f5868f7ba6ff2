import { isTerm, options } from "./options.ts";

/** What a world needs besides a course's records, what each learner's need, as measured, and at most each of their classes (MB). */
const worldMb = 500;
const learnerMb = 0.5;
const classMb = 0.05;
const classes = isTerm ? options.weeks : 1;
const neededMb = worldMb + options.courses * options.learners * (learnerMb + classes * classMb);
const freeMb = process.availableMemory() / 1024 ** 2;
if (neededMb > freeMb) {
  console.error(
    `So many people and classes need about ${Math.ceil(neededMb)} MB of memory, and ${Math.floor(freeMb)} MB are free. Take fewer courses, learners or weeks.`,
  );
  process.exit(2);
}

// Only now, so that a refusal does not wait for the whole tool.
await import("./seeds.ts");
