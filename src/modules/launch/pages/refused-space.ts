import { closedSpaceRefusals } from "../../spaces/space-rights.ts";
import { type EnterClassDeps, reserveFor } from "../../joining/enter-class.ts";
import type { EntryTarget } from "../../joining/entry-target.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { Session } from "../../../web/session.ts";

/** Null before a Space that the course may not use, for instructors: they see their home. */
export async function reserveOrHome(deps: EnterClassDeps, session: Session, target: EntryTarget) {
  try {
    return await reserveFor(deps, target);
  } catch (thrown) {
    if (choosesSpace(session, thrown)) return null;
    throw thrown;
  }
}

/** Whether somebody was refused a Space who can choose another one: they see their home, not an error page. */
export function choosesSpace({ role, only }: Session, thrown: unknown): boolean {
  const refused = thrown instanceof NamedError && closedSpaceRefusals.includes(thrown.code);
  return refused && role === "instructor" && only !== "entry";
}
