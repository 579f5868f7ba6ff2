/** The target with the relation "next" in a Link header (RFC 8288, 3); null without one. */
export function nextInLink(header: string | null): string | null {
  for (const [, target = "", parameters = ""] of (header ?? "").matchAll(/<([^>]*)>((?:\s*;[^,]*)*)/g)) {
    const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(parameters) ?? [];
    const relations = (quoted ?? plain ?? "").toLowerCase().split(/\s+/);
    if (relations.includes("next")) return target;
  }
  return null;
}
