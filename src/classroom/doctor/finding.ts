import type { OpenExchange } from "../exchange.ts";
import { maxRawReplyLength } from "../limits.ts";
import { cutTo, filledIn } from "../../kernel/text.ts";
import english from "../../../views/locales/en/institution.json" with { type: "json" };

const sentences = english.doctor;

/** A sentence of the catalogue `doctor`, by its code and the values it names. */
type Sentence<Part extends "seen" | "todo"> = {
  code: keyof (typeof sentences)[Part];
  values: SentenceValues;
};
type SentenceValues = Readonly<Record<string, string | number>>;

export type Finding = {
  /** Which check found it ("address", "key", "user", "space", "authorize", "webhook"), or "dialect" or "database". */
  about: string;
  /** "wrong": something in the tool doesn't work. "note": worth knowing, or unknown. */
  level: "fine" | "note" | "wrong";
  /** What was seen, in English. */
  message: string;
  todo: string | null;
  /** The same in codes, for readers of other languages; null for findings of the command line. */
  seen: Sentence<"seen"> | null;
  advice: Sentence<"todo"> | null;
  /** The service's answer, without secrets; null if nothing was asked. */
  reply: string | null;
};

/** @param what Plain text for findings that only the command line makes. */
export function finding(
  level: Finding["level"],
  about: string,
  what: Sentence<"seen"> | string,
  more: { todo?: Sentence<"todo"> | string | null; reply?: string | null } = {},
): Finding {
  const { todo = null, reply = null } = more;
  const worded =
    typeof what === "string"
      ? { message: what, seen: null }
      : { message: filledIn(sentences.seen[what.code], what.values), seen: what };
  const isText = todo === null || typeof todo === "string";
  return {
    about,
    level,
    ...worded,
    reply,
    todo: isText ? todo : filledIn(sentences.todo[todo.code], todo.values),
    advice: isText ? null : todo,
  };
}

export function seen(code: Sentence<"seen">["code"], values: SentenceValues = {}): Sentence<"seen"> {
  return { code, values };
}

export function advice(code: Sentence<"todo">["code"], values: SentenceValues = {}): Sentence<"todo"> {
  return { code, values };
}

/** Why an address didn't answer, and what to do about it. */
export function failureInWords(
  reason: string,
  url: string,
): { what: Sentence<"seen">; todo: Sentence<"todo"> } {
  const { host, hostname } = new URL(url);
  const certificate = certificates[reason];
  if (certificate !== undefined)
    return { what: seen(certificate, { host, reason }), todo: advice("renew-certificate") };
  return (
    {
      ENOTFOUND: { what: seen("no-host", { host: hostname }), todo: advice("check-spelling") },
      EAI_AGAIN: { what: seen("no-lookup", { host: hostname }), todo: advice("check-dns") },
      ECONNREFUSED: { what: seen("nothing-listens", { host }), todo: advice("check-port") },
      "timed out": { what: seen("no-answer-in-time", { host }), todo: advice("check-way") },
      UND_ERR_CONNECT_TIMEOUT: { what: seen("no-connection", { host }), todo: advice("allow-https") },
      "out of time": { what: seen("out-of-time", { host }), todo: advice("check-later") },
    }[reason] ?? { what: seen("not-asked", { host, reason }), todo: advice("check-address") }
  );
}

const certificates: Readonly<Record<string, Sentence<"seen">["code"]>> = {
  CERT_HAS_EXPIRED: "certificate-expired",
  CERT_NOT_YET_VALID: "certificate-early",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate-self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate-unknown-authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate-incomplete",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate-unknown-authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate-other-name",
};

/** Opens exchanges and remembers the latest answer. @param secrets Removed from the remembered answer. */
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
      answer.catch(() => undefined); // the code that awaits it gets the error
      return { ...exchange, answer };
    },
    latest: () => latest,
    forget: () => {
      latest = null;
    },
  };
}

const secretName = /token|secret|password|authorization|cookie|signature|api_?key/i;

/** A reply without keys, tokens, queries of addresses, and e-mail addresses. */
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
      // A terminal would interpret these as commands.
      .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
  );
}
