import { closedSpaceRefusals } from "../../spaces/space-rights.ts";
import { type EnterClassDeps, reserveFor } from "../../joining/enter-class.ts";
import type { EntryTarget } from "../../joining/find-target.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { Session } from "../../../web/session.ts";

/** As `reserveFor`; before a Space that the course may not use instructors see their home all the same. */
export async function reserveOrHome(deps: EnterClassDeps, session: Session, target: EntryTarget) {
  try {
    return await reserveFor(deps, target);
  } catch (thrown) {
    if (choosesSpace(session, thrown)) return null;
    throw thrown;
  }
}

/** Whether somebody was refused a Space who can choose another one: on their home, not on a page that only says no. */
export function choosesSpace({ role, only }: Session, thrown: unknown): boolean {
  const refused = thrown instanceof NamedError && closedSpaceRefusals.includes(thrown.code);
  return refused && role === "instructor" && only !== "entry";
}
