import type { App } from "../../app.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { Receipt } from "../../inbox/rules/receipt.ts";
import { gradeMembers, type GradeMemberDeps } from "../grading/grade-member.ts";

export type GradeGatheringDeps = GradeMemberDeps & Pick<App, "receipts" | "deliveries">;

/** A question to the classroom (ms), a second attempt included. */
const askingMs = 6_000;

/** Webhooks within this time (ms) may be of one burst. */
const burstMs = 30_000;

export type GradedEffect = { receipt: Receipt; person: Person };

type Gathered = { course: Course; person: Person; about: string };

/**
 * Grades people whose receipts have taken effect. While the classroom is asked about others of the same person, their
 * score waits, so that a burst makes one score and not one for each event.
 * @param of.asking Whether the classroom was asked about these: then unread webhooks may be of the same burst.
 * @param of.aboutWhom The person of a receipt; null where nothing is expected.
 * @returns `end`, to call when the receipts are settled: the last one of a person has the score sent. After a crash it
 *   is sent seconds later.
 */
export function gradeGathering(
  deps: GradeGatheringDeps,
  { asking, aboutWhom }: { asking: boolean; aboutWhom: (receipt: Receipt) => string | null },
) {
  const gathered: Gathered[] = [];
  const soon = () => ({ by: deps.clock.now() + askingMs, since: deps.clock.now() - burstMs });
  return {
    grade: async (course: Course, effects: readonly GradedEffect[]): Promise<void> => {
      const about = new Map(effects.map(({ receipt, person }) => [person.id, aboutWhom(receipt)]));
      const own = effects.map(({ receipt }) => receipt.id);
      const asked = await deps.receipts.stillAskedAbout(known([...about.values()]), soon(), own);
      const more = asking && (await deps.receipts.isReceiving());
      const people = [...new Map(effects.map(({ person }) => [person.id, person])).values()];
      const waits = ({ id }: Person) => more || asked.has(about.get(id) ?? "");
      await gradeMembers(
        deps,
        course,
        people.filter((person) => !waits(person)),
      );
      const waiting = people.filter(waits);
      await gradeMembers(deps, course, waiting, "gathered");
      for (const person of waiting) gathered.push({ course, person, about: about.get(person.id) ?? "" });
    },
    end: async (): Promise<void> => {
      if (gathered.length === 0) return;
      const asked = await deps.receipts.stillAskedAbout(
        gathered.map(({ about }) => about),
        soon(),
        [],
      );
      const over = gathered.filter(({ about }) => !asked.has(about));
      for (const [course, some] of Map.groupBy(over, (one) => one.course)) {
        const place = { registrationId: course.registrationId, courseId: course.id };
        const ids = some.map(({ person }) => person.id);
        await deps.deliveries.endGathering(place, ids, deps.clock.now());
      }
      if (over.length > 0) deps.wake("deliveries");
    },
  };
}

function known(values: readonly (string | null)[]): string[] {
  return values.filter((value) => value !== null);
}
