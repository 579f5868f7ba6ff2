import type { Course } from "../../../domain/course.ts";
import type { ClosedEntry } from "../entry-state.ts";
import { NamedError } from "../../../kernel/errors.ts";

/** By the entry window, or because no classroom is configured. */
export type ShownClosedEntry = ClosedEntry | NotSetUp;

export type NotSetUp = { state: "closed"; because: "not-set-up" };

export const notSetUp: NotSetUp = { state: "closed", because: "not-set-up" };

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
