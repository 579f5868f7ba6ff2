import english from "../../../views/locales/en/institution.json" with { type: "json" };

const sentences = english.doctor;

/** A sentence of the catalogue `doctor`, by its code there, with what it names. */
export type Sentence<Part extends "seen" | "todo"> = {
  code: keyof (typeof sentences)[Part];
  values: SentenceValues;
};
export type SentenceValues = Readonly<Record<string, string | number>>;

export type Finding = {
  /** A check ("address", "key", "user", "space", "authorize", "webhook"), "dialect" or "database". */
  about: string;
  /** "wrong": something of the tool does not work. "note": worth knowing, or unknown. */
  level: "fine" | "note" | "wrong";
  /** What was seen, in English. */
  message: string;
  todo: string | null;
  /** The same for readers of other languages; null for what only the command line finds. */
  seen: Sentence<"seen"> | null;
  advice: Sentence<"todo"> | null;
  /** What the service answered, without secrets; null where nothing was asked. */
  reply: string | null;
};

/** @param what A text is what only the command line finds. */
export function finding(
  level: Finding["level"],
  about: string,
  what: Sentence<"seen"> | string,
  more: { todo?: Sentence<"todo"> | string | null; reply?: string | null } = {},
): Finding {
  const { todo = null, reply = null } = more;
  const said =
    typeof what === "string" ? { message: what, seen: null } : { message: inEnglish(what), seen: what };
  const isText = todo === null || typeof todo === "string";
  return {
    ...{ about, level, ...said, reply },
    todo: isText ? todo : filled(sentences.todo[todo.code], todo.values),
    advice: isText ? null : todo,
  };
}

export function seen(code: Sentence<"seen">["code"], values: SentenceValues = {}): Sentence<"seen"> {
  return { code, values };
}

export function advice(code: Sentence<"todo">["code"], values: SentenceValues = {}): Sentence<"todo"> {
  return { code, values };
}

function inEnglish({ code, values }: Sentence<"seen">): string {
  return filled(sentences.seen[code], values);
}

function filled(sentence: string, values: SentenceValues): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (name, value: string) => String(values[value] ?? name));
}
