import { refusal } from "../kernel/refusal.ts";
import { scopes } from "./scopes.ts";

const gradeScopes: readonly string[] = [scopes.lineItem, scopes.resultReadOnly, scopes.score];

/**
 * Scopes for a token of the grade services: all granted ones that we use, so that one token serves all calls.
 * @param granted As the launch listed them.
 * @param anyOf At least one is needed by the call.
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
