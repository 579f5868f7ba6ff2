import { cutTo } from "../../kernel/text.ts";
import type { OpenExchange } from "../exchange.ts";
import { maxRawReplyLength } from "../limits.ts";

/** Opens exchanges and remembers the latest answer. @param secrets Left out of what is remembered. */
export function recordReplies(
  open: OpenExchange,
  secrets: readonly string[],
): { open: OpenExchange; latest: () => string | null; forget: () => void } {
  let latest: string | null = null;
  return {
    open: (request) => {
      const exchange = open(request);
      const answer = exchange.answer.then(({ text, ...head }) => ({
        ...head,
        text: async () => {
          const whole = await text();
          const location = head.headers.get("location");
          const where = location === null ? "" : ` Location: ${redacted(location, secrets)}`;
          latest = cutTo(`${head.status}${where} ${redacted(whole, secrets)}`.trim(), maxRawReplyLength);
          return whole;
        },
      }));
      answer.catch(() => undefined); // the awaiting code gets it
      return { ...exchange, answer };
    },
    latest: () => latest,
    forget: () => {
      latest = null;
    },
  };
}

const secretName = /token|secret|password|authorization|cookie|signature|api_?key/i;

/** A reply as it came, without keys, tokens, what stands in an address's query, and e-mail addresses. */
export function redacted(reply: string, secrets: readonly string[]): string {
  return openText(withoutNamedSecrets(reply), secrets);
}

function withoutNamedSecrets(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text, (name, value: unknown) => (secretName.test(name) ? "…" : value)));
  } catch {
    return text;
  }
}

function openText(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret !== "").flatMap((one) => [one, encodeURIComponent(one)]);
  return (
    known
      .reduce((rest, secret) => rest.replaceAll(secret, "…"), text)
      .replace(/(?<=[^\s"'])[?#][^\s"'<>\\]*/g, (query) => `${query.slice(0, 1)}…`)
      .replace(/[^\s"'<>,;:()[\]{}]+/g, (word) => (/.@./.test(word) ? "…" : word))
      .replace(/[\w.+=-]{40,}/g, "…")
      // A terminal would take these for commands.
      .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
  );
}
