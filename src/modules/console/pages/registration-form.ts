import { familyChoices } from "../../../domain/lms-product.ts";
import type { App } from "../../../app.ts";
import type { GivenRegistration } from "../../operations/add-registration.ts";
import type { Translate } from "../../../web/translate.ts";
import { knownEnvironment } from "./known-environment.ts";

export const registrationFields = [
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

export type RegistrationField = (typeof registrationFields)[number];

export type TypedRegistration = Readonly<Record<RegistrationField, string>>;

export type FieldProblems = Partial<Record<RegistrationField, string>>;

type RegistrationFormDeps = Pick<App, "accounts" | "addressProblem">;

/** "usual": for the issuer. */
const policies = ["usual", "accept", "refuse"] as const;
const longest = { name: 100, clientId: 255, deploymentId: 255 };

/** Checks all fields at once, so that all problems are shown. @returns the registration to make, or the problems. */
export function readRegistrationForm(
  deps: RegistrationFormDeps,
  typed: TypedRegistration,
  t: Translate,
): { given: GivenRegistration } | { problems: FieldProblems } {
  const family = familyChoices.find((one) => one === typed.family);
  const newDeployments = policies.find((one) => one === typed.newDeployments);
  const environment = knownEnvironment(typed.environment, deps.accounts.ids());
  const problems: FieldProblems = { ...addressProblems(deps, typed, t), ...textProblems(typed, t) };
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
  { addressProblem }: RegistrationFormDeps,
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
