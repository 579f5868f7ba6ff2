import type { Erasure, ErasureSubject } from "./rules/erasure.ts";
import type { PersonSubject, RecordFilter } from "../../domain/held-record.ts";
import type { EraseDeps, EraseStep, StepOutcome } from "./erase-step.ts";

/** Records of early releases do not say when a course was last opened. */
export const unopenedSince = (before: number): RecordFilter => ({
  $or: [{ lastLaunchAt: { $gt: 0, $lt: before } }, { lastLaunchAt: null, createdAt: { $lt: before } }],
});

/**
 * The first step of an automatic erasure: deletes the course or person itself if the reason, perhaps queued for hours,
 * still holds, and only as it was read, so that a launch at this moment wins.
 * @returns no step for an erasure that somebody asked for.
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
        // Later rounds look for what is left.
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
  // A launch and a roster remove this before they add a member. Rows merged into this person go with the other records.
  return unlessBack(
    deps,
    "Person",
    { registrationId, _id: ids, mergedInto: null },
    { loneSince: { $gt: 0 } },
  );
}

const cameBack: StepOutcome = { erased: 0, cursor: null, subject: null };

/** A missing one was deleted by a process that was killed: its work continues. */
async function unlessBack(
  { personalRecords }: EraseDeps,
  model: string,
  it: RecordFilter,
  still: RecordFilter,
): Promise<StepOutcome> {
  const erased = await personalRecords.remove(model, { $and: [it, still] }, 10);
  return (await personalRecords.count(model, it)) > 0 ? cameBack : { erased, cursor: null };
}
