import { refusal } from "../kernel/refusal.ts";
import { scopes } from "./scopes.ts";

const gradeScopes: readonly string[] = [scopes.lineItem, scopes.resultReadOnly, scopes.score];

/**
 * Scopes for a token of the grade services: all that the launch granted and we use, so that one token serves
 * reading columns, sending scores and reading results.
 * @param granted As the launch listed them.
 * @param anyOf What the call at hand needs, at least one of them.
 * @throws NamedError "scope-not-granted"
 */
export function gradeScopesFor(granted: readonly string[], anyOf: readonly string[]): readonly string[] {
  if (!anyOf.some((scope) => granted.includes(scope))) {
    throw refusal("scope-not-granted", {
      status: 403,
      details: { needed: anyOf.map((scope) => scope.split("/").at(-1)) },
    });
  }
  const usual = granted.filter((scope) => gradeScopes.includes(scope));
  return usual.some((scope) => anyOf.includes(scope))
    ? usual
    : granted.filter((scope) => anyOf.includes(scope));
}
