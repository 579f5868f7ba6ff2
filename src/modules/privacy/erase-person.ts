import type { App } from "../../app.ts";
import type { Erasure } from "./rules/erasure.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { personSubject, type PersonSubjectDeps } from "./person-subject.ts";
import { enqueueErasure, type EnqueueErasureDeps } from "./enqueue-erasure.ts";

export type ErasePersonDeps = EnqueueErasureDeps & PersonSubjectDeps & Pick<App, "people">;

/**
 * Enqueues the erasure of a person with attendance and scores; the LMS keeps its gradebook and is sent nothing. Later
 * reports about them are dropped until they open the tool again, as somebody new. Their user stays in the classroom,
 * which has no call to remove it.
 * @throws NamedError "no-such-person"
 */
export async function erasePerson(deps: ErasePersonDeps, personId: string): Promise<Erasure> {
  const person = await deps.people.find(personId);
  if (person === null) throw unknownPerson();
  return enqueueErasure(deps, { kind: "person", ...(await personSubject(deps, person)) }, null);
}

export function unknownPerson(): NamedError {
  return refusal("no-such-person", { status: 404 });
}
