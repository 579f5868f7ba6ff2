import { Router } from "express";
import { addRegistration } from "../../operations/add-registration.ts";
import { familyChoices } from "../../../domain/lms-product.ts";
import type { AccountId } from "../../../domain/account.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { ManualValues } from "../../../lms/manual-registration.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { Gate, Visit } from "./gate.ts";
import {
  type FieldProblems,
  readRegistrationForm,
  type RegistrationField,
  registrationFields,
  type TypedRegistration,
} from "./registration-form.ts";
import type { ConsoleFrame } from "./partials.ts";

export type AddRegistrationPage = ConsoleFrame & {
  typed: TypedRegistration;
  problems: FieldProblems;
  /** In the order of the form. */
  wrong: { field: RegistrationField; problem: string }[];
  fields: TextField[];
  environments: readonly AccountId[];
  familyChoices: typeof familyChoices;
  values: ManualValues;
};

type TextField = {
  field: RegistrationField;
  type: "text" | "url";
  required: boolean;
  label: string;
  hint: string;
  value: string;
  problem: string | null;
};

const addRegistrationPage = defineView<AddRegistrationPage>("admin/add");

const textFields = [
  { field: "name", type: "text", required: false },
  { field: "issuer", type: "url", required: true },
  { field: "clientId", type: "text", required: true },
  { field: "deploymentId", type: "text", required: false },
  { field: "authorizationUrl", type: "url", required: true },
  { field: "tokenUrl", type: "url", required: true },
  { field: "jwksUrl", type: "url", required: true },
] as const;

export function addRegistrationPages(deps: ConsoleApp, gate: Gate): Router {
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
      const added = "problems" in read ? read : await tryToAdd(deps, visit.asOperator, read.given);
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

const fieldOf: ReadonlyMap<string, RegistrationField> = new Map<string, RegistrationField>([
  ["bad-address", "issuer"],
  ["bad-client-id", "clientId"],
  ["registration-exists", "clientId"],
]);

async function tryToAdd(
  deps: ConsoleApp,
  asOperator: Visit["asOperator"],
  given: Parameters<typeof addRegistration>[1],
): Promise<{ id: string } | { problems: FieldProblems }> {
  try {
    const { id } = await addRegistration({ ...deps, ...asOperator }, given);
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
  { accounts, manualValues }: ConsoleApp,
  { t, show }: Visit,
  typed: TypedRegistration,
  problems: FieldProblems,
): void {
  const wrong = registrationFields.flatMap((field) => {
    const problem = problems[field];
    return problem === undefined ? [] : [{ field, problem }];
  });
  show({
    view: addRegistrationPage,
    title: t("console.add.heading"),
    area: "add",
    model: {
      ...{ typed, problems, wrong, environments: accounts.ids(), familyChoices, values: manualValues },
      fields: textFields.map((one) => ({
        ...one,
        label: t(`console.add.fields.${one.field}`),
        hint: t(`console.add.hints.${one.field}`),
        value: typed[one.field],
        problem: problems[one.field] ?? null,
      })),
    },
  });
}
