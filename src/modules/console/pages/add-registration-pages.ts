import type { Router } from "express";
import type { App } from "../../../app.ts";
import { familyChoices } from "../../../domain/lms-product.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { ofEach } from "../../../kernel/lists.ts";
import { addRegistration, type GivenRegistration } from "../../operations/change-registration.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { formField, knownEnvironment } from "./requests.ts";
import type { Gate, Visit } from "./gate.ts";
import type { PageOf } from "./partials.ts";

export type AddRegistrationPage = PageOf<typeof formModel>;

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

export function addRegistrationPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page, action } = gate.routes();
  page("/registrations/new", (visit) => {
    // A link from the page of failed launches names the LMS.
    const { query } = visit.request;
    const named = { issuer: formField(query, "issuer"), clientId: formField(query, "clientId") };
    const typed = { ...typedRegistration(visit), ...named, family: "learn", newDeployments: "usual" };
    showForm(app, visit, typed, {});
  });
  action("/registrations", async (visit) => {
    const typed = typedRegistration(visit);
    const read = readRegistrationForm(app, typed, visit.t);
    const added = "problems" in read ? read : await tryToAdd(app, visit.asOperator, read.given);
    if ("problems" in added) {
      visit.response.status(422);
      showForm(app, visit, typed, added.problems);
      return;
    }
    visit.goTo(`/admin/registrations/${added.id}?tab=connection`, "added");
  });
  return router;
}

const fieldOf: ReadonlyMap<string, RegistrationField> = new Map<string, RegistrationField>([
  ["bad-address", "issuer"],
  ["bad-client-id", "clientId"],
  ["registration-exists", "clientId"],
]);

async function tryToAdd(
  app: ConsoleApp,
  asOperator: Visit["asOperator"],
  given: Parameters<typeof addRegistration>[1],
): Promise<{ id: string } | { problems: FieldProblems }> {
  try {
    const { id } = await addRegistration({ ...app, ...asOperator }, given);
    return { id };
  } catch (thrown) {
    const field = thrown instanceof NamedError ? fieldOf.get(thrown.code) : undefined;
    if (field === undefined || !(thrown instanceof NamedError)) throw thrown;
    return { problems: { [field]: thrown.message } };
  }
}

function typedRegistration({ field }: Visit): TypedRegistration {
  return ofEach(registrationFields, (name) => field(name));
}

function showForm(
  app: ConsoleApp,
  { t, show }: Visit,
  typed: TypedRegistration,
  problems: FieldProblems,
): void {
  const model = formModel(app, t, typed, problems);
  show({ view: addRegistrationPage, title: t("console.areas.add"), area: "add", model });
}

function formModel(
  { accounts, manualValues }: ConsoleApp,
  t: Translate,
  typed: TypedRegistration,
  problems: FieldProblems,
) {
  return {
    typed,
    problems,
    environments: accounts.ids(),
    familyChoices,
    values: manualValues,
    /** In the order of the form. */
    wrong: registrationFields.flatMap((field) => {
      const problem = problems[field];
      return problem === undefined ? [] : [{ field, problem }];
    }),
    fields: textFields.map((one) => ({
      ...one,
      label: t(`console.add.fields.${one.field}`),
      hint: t(`console.add.hints.${one.field}`),
      value: typed[one.field],
      problem: problems[one.field] ?? null,
    })),
  };
}

const registrationFields = [
  "family",
  "name",
  "issuer",
  "clientId",
  "deploymentId",
  "authorizationUrl",
  "tokenUrl",
  "jwksUrl",
  "environment",
  "newDeployments",
] as const;

type RegistrationField = (typeof registrationFields)[number];

type TypedRegistration = Readonly<Record<RegistrationField, string>>;

type FieldProblems = Partial<Record<RegistrationField, string>>;

/** "usual": the issuer's usual policy. */
const policies = ["usual", "accept", "refuse"] as const;
const longest = { name: 100, clientId: 255, deploymentId: 255 };

/** Checks all fields at once, so the form shows every problem. @returns the registration to make, or the problems. */
function readRegistrationForm(
  app: Pick<App, "accounts" | "addressProblem">,
  typed: TypedRegistration,
  t: Translate,
): { given: GivenRegistration } | { problems: FieldProblems } {
  const family = familyChoices.find((one) => one === typed.family);
  const newDeployments = policies.find((one) => one === typed.newDeployments);
  const environment = knownEnvironment(typed.environment, app.accounts.ids());
  const problems: FieldProblems = { ...addressProblems(app, typed, t), ...textProblems(typed, t) };
  if (family === undefined) problems.family = t("console.add.problems.choose");
  if (newDeployments === undefined) problems.newDeployments = t("console.add.problems.choose");
  if (environment === null) problems.environment = t("console.add.problems.choose");
  if (family === undefined || newDeployments === undefined || environment === null) return { problems };
  if (Object.keys(problems).length > 0) return { problems };
  const { issuer, clientId, authorizationUrl, tokenUrl, jwksUrl, name, deploymentId } = typed;
  return {
    given: {
      issuer,
      clientId,
      authorizationUrl,
      tokenUrl,
      jwksUrl,
      environment,
      ...(family === "learn" ? {} : { family }),
      ...(newDeployments === "usual" ? {} : { newDeployments }),
      ...(name === "" ? {} : { name }),
      ...(deploymentId === "" ? {} : { deploymentId }),
    },
  };
}

function addressProblems(
  { addressProblem }: Pick<App, "accounts" | "addressProblem">,
  typed: TypedRegistration,
  t: Translate,
): FieldProblems {
  const problems: FieldProblems = {};
  for (const field of ["issuer", "authorizationUrl", "tokenUrl", "jwksUrl"] as const) {
    const problem = typed[field] === "" ? t("console.add.problems.missing") : addressProblem(typed[field]);
    if (problem !== null) problems[field] = problem;
  }
  return problems;
}

function textProblems(typed: TypedRegistration, t: Translate): FieldProblems {
  const problems: FieldProblems = {};
  if (typed.clientId === "") problems.clientId = t("console.add.problems.missing");
  for (const field of ["name", "clientId", "deploymentId"] as const) {
    if (typed[field].length > longest[field])
      problems[field] = t("console.add.problems.tooLong", { count: longest[field] });
  }
  return problems;
}
