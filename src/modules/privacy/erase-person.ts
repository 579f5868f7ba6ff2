import type { App } from "../../app.ts";
import type { Erasure } from "./rules/erasure.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { personSubject, type PersonSubjectDeps } from "./person-subject.ts";
import { enqueueErasure, type EnqueueErasureDeps } from "./enqueue-erasure.ts";

export type ErasePersonDeps = EnqueueErasureDeps & PersonSubjectDeps & Pick<App, "people">;

/**
 * Has everything about somebody erased, attendance and scores kept here included: the LMS keeps its own gradebook, and is
 * sent nothing. Whatever is told of them later is dropped, until they open the tool themselves again; then they are
 * somebody new. Their user in the classroom stays there, for the interface has no way to remove one.
 * @throws NamedError "no-such-person"
 */
export async function erasePerson(deps: ErasePersonDeps, personId: string): Promise<Erasure> {
  const person = await deps.people.find(personId);
  if (person === null) throw unknownPerson();
  return enqueueErasure(deps, { kind: "person", ...(await personSubject(deps, person)) }, null);
}

/** Nobody is known by this id, or not any more. */
export function unknownPerson(): NamedError {
  return refusal("no-such-person", { status: 404 });
}
