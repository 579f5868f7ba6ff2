import type { EnvironmentName } from "../../domain/registration.ts";
import { authorizeAhead, type AuthorizeAheadDeps } from "./authorize-ahead.ts";
import { expectClasses, type ExpectClassesDeps } from "./expect-classes.ts";

/** One step of looking ahead: which classes are to be expected. */
export function expectingStep(deps: ExpectClassesDeps, environment: EnvironmentName): () => Promise<boolean> {
  return () => expectClasses(deps, environment);
}

/** One step of authorizing ahead: a turn of the class that goes first. */
export function aheadStep(deps: AuthorizeAheadDeps, environment: EnvironmentName): () => Promise<boolean> {
  return () => authorizeAhead(deps, environment);
}
