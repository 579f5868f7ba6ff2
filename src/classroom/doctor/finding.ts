import sentences from "../../../views/locales/en/doctor.json" with { type: "json" };

/** A sentence of the catalogue `doctor`, by its code there, with what it names. */
export type Sentence<Part extends "seen" | "todo"> = {
  code: keyof (typeof sentences)[Part];
  values: SentenceValues;
};
export type SentenceValues = Readonly<Record<string, string | number>>;

export type Finding = {
  /** "service", "key", or an operation's name. */
  about: string;
  /** "wrong": something of the tool does not work. "note": worth knowing, or unknown. */
  level: "fine" | "note" | "wrong";
  /** What was seen, in English; never a value from a reply. */
  message: string;
  todo: string | null;
  /** The same for readers of other languages; null for what only the command line finds. */
  seen: readonly Sentence<"seen">[] | null;
  advice: Sentence<"todo"> | null;
  /** The redacted shape of the reply, where it helps; else null. */
  shape: unknown;
  /** A part of the dialect that mends it, or null. */
  dialect: object | null;
};

type Seen = Sentence<"seen"> | readonly Sentence<"seen">[] | string;

/** @param what A text is what only the command line finds. */
export function finding(
  level: Finding["level"],
  about: string,
  what: Seen,
  more: { todo?: Sentence<"todo"> | string; shape?: unknown; dialect?: object } = {},
): Finding {
  return {
    ...{ about, level },
    ...inWords(what),
    ...adviceInWords(more.todo ?? null),
    shape: more.shape ?? null,
    dialect: more.dialect ?? null,
  };
}

function inWords(what: Seen): Pick<Finding, "message" | "seen"> {
  if (typeof what === "string") return { message: what, seen: null };
  const each = "code" in what ? [what] : what;
  return { message: each.map(seenInEnglish).join(" "), seen: each };
}

function adviceInWords(todo: Sentence<"todo"> | string | null): Pick<Finding, "todo" | "advice"> {
  if (todo === null || typeof todo === "string") return { todo, advice: null };
  return { todo: filled(sentences.todo[todo.code], todo.values), advice: todo };
}

export function seen(code: Sentence<"seen">["code"], values: SentenceValues = {}): Sentence<"seen"> {
  return { code, values };
}

export function advice(code: Sentence<"todo">["code"], values: SentenceValues = {}): Sentence<"todo"> {
  return { code, values };
}

export function seenInEnglish({ code, values }: Sentence<"seen">): string {
  return filled(sentences.seen[code], values);
}

function filled(sentence: string, values: SentenceValues): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (name, value: string) => String(values[value] ?? name));
}
