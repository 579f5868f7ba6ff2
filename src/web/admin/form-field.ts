/** A field of a posted form, without white space around it; empty when it is missing or given twice. */
export function formField(body: unknown, name: string): string {
  if (typeof body !== "object" || body === null) return "";
  const value: unknown = new Map(Object.entries(body)).get(name);
  return typeof value === "string" ? value.trim() : "";
}
