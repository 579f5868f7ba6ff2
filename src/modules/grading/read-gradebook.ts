import type { App } from "../../app.ts";
import type { Delivery } from "./rules/delivery.ts";
import type { GradebookGrade } from "./rules/compare-with-gradebook.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { ScoreResult, Scores, ScoreTarget } from "../../lms/scores.ts";

export type ReadGradebookDeps = Pick<App, "deliveries" | "clock"> & {
  scores: Pick<Scores, "readResult" | "readResults" | "canReadResults">;
};

export type GradebookReading = {
  /** "unknown": the LMS gives no answer; null: no grade. @throws NamedError (temporary) when it may answer later. */
  shownTo: (target: ScoreTarget, delivery: Delivery) => Promise<GradebookGrade | null | "unknown">;
};

/** Milliseconds; short, as a teacher may be at work. */
const freshMs = 3_000;
/** Rows that cost one more call when a whole column is read. */
const rowsPerCall = 100;

/** A right taken back, a course ended. Unreadable answers may be maintenance: final after two minutes. */
function isFinal({ temporary, code }: NamedError, { attempts }: Delivery): boolean {
  return !temporary || (code === "lms-reply-unreadable" && attempts >= 6);
}

/** Reads the whole column where that costs less than single calls. @param people How many scores are to go out. */
export function readGradebook(deps: ReadGradebookDeps, people: number): GradebookReading {
  let column: { url: string; at: number; rows: Map<string, ScoreResult> } | null = null;
  let left = people;

  const inColumn = async (target: ScoreTarget, delivery: Delivery): Promise<GradebookGrade | null> => {
    const { lineItemUrl } = target;
    if (column?.url === lineItemUrl && deps.clock.now() - column.at <= freshMs) {
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
    return 1 + rows / rowsPerCall < left;
  };

  return {
    shownTo: async (target, delivery) => {
      if (!deps.scores.canReadResults(target.scopes)) return "unknown";
      try {
        return await inColumn(target, delivery);
      } catch (thrown) {
        if (thrown instanceof NamedError && isFinal(thrown, delivery)) return "unknown";
        throw thrown;
      } finally {
        left -= 1;
      }
    },
  };
}
