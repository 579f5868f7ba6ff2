import type { Course } from "../../../domain/course.ts";
import type { ClosedEntry } from "../entry-state.ts";
import { NamedError } from "../../../kernel/errors.ts";

/** A door that a page has to explain: closed by what an instructor set, or without any classroom behind it. */
export type ShownClosedEntry = ClosedEntry | NotSetUp;

/** The operator has not configured the classroom of this LMS, so nobody can be let in. */
export type NotSetUp = { state: "closed"; because: "not-set-up" };

export const notSetUp: NotSetUp = { state: "closed", because: "not-set-up" };

/** Whether the environment of the classroom that a course is in is configured. */
export function isSetUp(
  deps: { appUrlOf: (environment: Course["environment"]) => string },
  { environment }: Pick<Course, "environment">,
): boolean {
  try {
    deps.appUrlOf(environment);
    return true;
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "environment-off") return false;
    throw thrown;
  }
}
