import type { Erasure, ErasureSubject } from "./rules/erasure.ts";
import type { PersonSubject, RecordFilter } from "../../domain/held-record.ts";
import type { EraseDeps, EraseStep, StepOutcome } from "./erase-step.ts";

/** Courses that nobody has opened since `before` (ms); those of early releases do not say when they were opened last. */
export const unopenedSince = (before: number): RecordFilter => ({
  $or: [{ lastLaunchAt: { $gt: 0, $lt: before } }, { lastLaunchAt: null, createdAt: { $lt: before } }],
});

/**
 * What erasing begins with where nobody asked for it: the course or the person itself goes, if what was true when it was
 * queued, maybe hours ago, still is. The record is deleted only as it was found, so that a launch in this moment wins.
 * @returns no step for what somebody asked for.
 */
export function retireFirst(
  deps: EraseDeps,
  erasure: Pick<Erasure, "who" | "rounds" | "askedAt">,
  what: Exclude<ErasureSubject, { kind: "registration" }>,
): EraseStep[] {
  if (erasure.who !== "retention") return [];
  const key = what.kind === "course" ? "courses" : "person";
  return [
    {
      key,
      run: async () => {
        // Later rounds look for what was left of one that is gone.
        if (erasure.rounds > 0) return { erased: 0, cursor: null };
        if (what.kind === "person") return retirePerson(deps, what);
        const { registrationId, courseId, unopenedSince: before = erasure.askedAt } = what;
        return unlessBack(deps, "Course", { registrationId, _id: courseId }, unopenedSince(before));
      },
    },
  ];
}

async function retirePerson(deps: EraseDeps, who: PersonSubject): Promise<StepOutcome> {
  const { registrationId, personIds } = who;
  const ids = { $in: [...personIds] };
  if ((await deps.personalRecords.count("Member", { registrationId, personId: ids })) > 0) return cameBack;
  // A launch and a roster take this away before they make a member of them.
  // Rows of those who turned out to be them go with the other records.
  return unlessBack(
    deps,
    "Person",
    { registrationId, _id: ids, mergedInto: null },
    { loneSince: { $gt: 0 } },
  );
}

const cameBack: StepOutcome = { erased: 0, cursor: null, subject: null };

/** One that is gone already was deleted by a process that was killed then: its work is gone on with. */
async function unlessBack(
  { personalRecords }: EraseDeps,
  model: string,
  it: RecordFilter,
  still: RecordFilter,
): Promise<StepOutcome> {
  const erased = await personalRecords.remove(model, { $and: [it, still] }, 10);
  return (await personalRecords.count(model, it)) > 0 ? cameBack : { erased, cursor: null };
}
