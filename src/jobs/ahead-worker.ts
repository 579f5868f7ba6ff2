import type { EnvironmentName } from "../domain/registration.ts";
import { authorizeAhead, type AuthorizeAheadDeps } from "../features/joining/authorize-ahead.ts";
import { expectClasses, type ExpectClassesDeps } from "../features/joining/expect-classes.ts";

/** One step of looking ahead: which classes are to be expected. `onExpected` is told that there may be some. */
export function expectingStep(
  deps: ExpectClassesDeps & { onExpected: () => void },
  environment: EnvironmentName,
): () => Promise<boolean> {
  return async () => {
    const more = await expectClasses(deps, environment);
    deps.onExpected();
    return more;
  };
}

/** One step of authorizing ahead: a turn of the class that goes first. */
export function aheadStep(deps: AuthorizeAheadDeps, environment: EnvironmentName): () => Promise<boolean> {
  return () => authorizeAhead(deps, environment);
}
