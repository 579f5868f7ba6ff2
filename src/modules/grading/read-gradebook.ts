import type { App } from "../../app.ts";
import type { Delivery } from "./rules/delivery.ts";
import type { GradebookGrade } from "./rules/gradebook-grade.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { ScoreResult, Scores, ScoreTarget } from "../../lms/scores.ts";

export type ReadGradebookDeps = Pick<App, "deliveries" | "clock"> & {
  scores: Pick<Scores, "readResult" | "readResults" | "canReadResults">;
};

/** What a gradebook shows for some people of one column, read after their scores were claimed. */
export type GradebookReading = {
  /**
   * The grade somebody has now: "unknown" where the LMS does not tell, null where it tells of none.
   * @throws NamedError (temporary) when it may tell later.
   */
  shownTo: (target: ScoreTarget, delivery: Delivery) => Promise<GradebookGrade | null | "unknown">;
};

/** A reading older than this (ms) is not believed: a teacher may have been at work. */
const freshFor = 3_000;
/** Reading a whole column costs as much as asking for one person, and once more for each so many rows. */
const rowsOfACall = 100;

/**
 * A right that was taken back, a course that has ended: what is sent next gets the reason in words. An LMS may be under
 * maintenance when its answer cannot be read; after two minutes of that its results are taken for broken.
 */
function tellsNever({ temporary, code }: NamedError, { attempts }: Delivery): boolean {
  return !temporary || (code === "lms-reply-unreadable" && attempts >= 6);
}

/**
 * Reads what a column shows. When many scores of it go out one after the other, the whole column is read where that
 * costs less than asking person by person.
 * @param people How many scores are to go out.
 */
export function readGradebook(deps: ReadGradebookDeps, people: number): GradebookReading {
  let column: { url: string; at: number; rows: Map<string, ScoreResult> } | null = null;
  let left = people;

  const inColumn = async (target: ScoreTarget, delivery: Delivery): Promise<GradebookGrade | null> => {
    const { lineItemUrl } = target;
    if (column?.url === lineItemUrl && deps.clock.now() - column.at <= freshFor) {
      return column.rows.get(delivery.sub) ?? null;
    }
    if (left <= 1 || !(await isCheap(delivery))) return deps.scores.readResult(target, delivery.sub);
    const at = deps.clock.now();
    const rows = new Map((await deps.scores.readResults(target)).map((row) => [row.sub, row]));
    column = { url: lineItemUrl, at, rows };
    return rows.get(delivery.sub) ?? null;
  };
  const isCheap = async (delivery: Delivery) => {
    const { registrationId, courseId, columnKey } = delivery;
    const rows = await deps.deliveries.countOfColumn({ registrationId, courseId, columnKey });
    return 1 + rows / rowsOfACall < left;
  };

  return {
    shownTo: async (target, delivery) => {
      if (!deps.scores.canReadResults(target.scopes)) return "unknown";
      try {
        return await inColumn(target, delivery);
      } catch (thrown) {
        if (thrown instanceof NamedError && tellsNever(thrown, delivery)) return "unknown";
        throw thrown;
      } finally {
        left -= 1;
      }
    },
  };
}
