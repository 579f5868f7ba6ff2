/** Never logged. */
const secretKeys = new Set([
  "authorization",
  "cookie",
  "id_token",
  "access_token",
  "client_assertion",
  "registration_token",
  "token",
  "secret",
  "password",
  "apiKey",
  "name",
  "givenName",
  "familyName",
  "email",
  "idNumber",
  "body",
]);
const struckOut = "[redacted]";
/** Deeper facts are left out: nobody reads them in a log, and a circle has no end. */
const maxDepth = 6;

/** A copy without values that no log may show, by key at any depth. Values with their own JSON form (dates) stay. */
export function withoutSecrets(facts: object): object {
  return strikeOut(facts, 0);
}

function strikeOut(facts: object, depth: number): object {
  const written: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(facts))
    written[key] = secretKeys.has(key) && value !== undefined ? struckOut : cleaned(value, depth + 1);
  return written;
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (depth > maxDepth) return "[deeper]";
  return Array.isArray(value) ? value.map((each) => cleaned(each, depth + 1)) : strikeOut(value, depth);
}
