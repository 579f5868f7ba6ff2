export function variableOf(environment: string, name: string): string {
  return `CLASSROOM_${environment === "staging" ? "STAGING_" : ""}${name}`;
}
