import { Router } from "express";
import { addRegistration, type AddRegistrationDeps } from "../../operations/add-registration.ts";
import { familyChoices } from "../../../domain/lms-product.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { ManualValues } from "../../../lms/manual-values.ts";
import type { Gate, Visit } from "./gate.ts";
import {
  type FieldProblems,
  readRegistrationForm,
  type RegistrationField,
  registrationFields,
  type RegistrationFormDeps,
  type TypedRegistration,
} from "./registration-form.ts";

export type AddRegistrationPagesDeps = AddRegistrationDeps &
  RegistrationFormDeps & { manualValues: ManualValues };

/** Adds an LMS by hand. */
export function addRegistrationPages(deps: AddRegistrationPagesDeps, gate: Gate): Router {
  const router = Router();
  router.get(
    "/registrations/new",
    gate.page((visit) => {
      const typed = { ...typedOf(visit), family: "learn", newDeployments: "usual" };
      showForm(deps, visit, typed, {});
    }),
  );
  router.post(
    "/registrations",
    gate.action(async (visit) => {
      const typed = typedOf(visit);
      const read = readRegistrationForm(deps, typed, visit.t);
      const added = "problems" in read ? read : await tryToAdd(deps, read.given);
      if ("problems" in added) {
        visit.response.status(422);
        showForm(deps, visit, typed, added.problems);
        return;
      }
      visit.goTo(`/admin/registrations/${added.id}`, "added");
    }),
  );
  return router;
}

/** The field that a refusal of the LMS wall is about. */
const fieldOf: ReadonlyMap<string, RegistrationField> = new Map<string, RegistrationField>([
  ["bad-address", "issuer"],
  ["bad-client-id", "clientId"],
  ["registration-exists", "clientId"],
]);

async function tryToAdd(
  deps: AddRegistrationDeps,
  given: Parameters<typeof addRegistration>[1],
): Promise<{ id: string } | { problems: FieldProblems }> {
  try {
    const { id } = await addRegistration(deps, given);
    return { id };
  } catch (thrown) {
    const field = thrown instanceof NamedError ? fieldOf.get(thrown.code) : undefined;
    if (field === undefined || !(thrown instanceof NamedError)) throw thrown;
    return { problems: { [field]: thrown.message } };
  }
}

function typedOf({ field }: Visit): TypedRegistration {
  return {
    family: field("family"),
    name: field("name"),
    issuer: field("issuer"),
    clientId: field("clientId"),
    deploymentId: field("deploymentId"),
    authorizationUrl: field("authorizationUrl"),
    tokenUrl: field("tokenUrl"),
    jwksUrl: field("jwksUrl"),
    environment: field("environment"),
    newDeployments: field("newDeployments"),
  };
}

function showForm(
  { environments, manualValues }: AddRegistrationPagesDeps,
  { t, show }: Visit,
  typed: TypedRegistration,
  problems: FieldProblems,
): void {
  const wrong = registrationFields.flatMap((field) => {
    const problem = problems[field];
    return problem === undefined ? [] : [{ field, problem }];
  });
  show({
    view: "add",
    title: t("console.add.heading"),
    area: "add",
    values: { typed, problems, wrong, environments, familyChoices, values: manualValues },
  });
}
