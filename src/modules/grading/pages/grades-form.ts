import { z } from "zod";
import { scoreStates } from "../rules/score-state.ts";
import type { ProofFilter } from "../show-proof.ts";

const shape = z
  .object({
    state: z.enum(scoreStates).nullable().catch(null),
    section: z.string().max(255).catch(""),
    search: z.string().max(200).catch(""),
    page: z.coerce.number().int().min(1).max(100_000).catch(1),
    /** On a line's button: its delivery, after the answer where there is a choice. */
    delivery: z.string().max(100).catch(""),
    answer: z.string().max(120).catch(""),
    column: z.string().max(120).catch(""),
    act: z.enum(["ask", "confirm", "cancel"]).catch("ask"),
    kind: z.enum(["facts", "grades", "proof"]).nullable().catch(null),
  })
  .catch({
    state: null,
    section: "",
    search: "",
    page: 1,
    delivery: "",
    answer: "",
    column: "",
    act: "ask",
    kind: null,
  });

/**
 * activity: grades go to the activity's own column · keep: they do not · term: a new one began, before which nothing
 * counts · same: none did · all: sessions of every term count again · zero: the column is to have 0 points.
 */
const columnAnswers = ["make", "leave", "stop", "activity", "keep", "term", "same", "all", "zero"] as const;
type ColumnAnswer = (typeof columnAnswers)[number];

export type PostedGrades = Pick<z.infer<typeof shape>, "delivery" | "act" | "kind"> & {
  filter: ProofFilter;
  /** Null: no such button was pressed. */
  column: { columnId: string; answer: ColumnAnswer } | null;
  /** Null: no such button was pressed. */
  decision: { deliveryId: string; answer: "send-ours" | "leave-theirs" } | null;
};

/** What is not understood is left out. */
export function readGradesForm(body: unknown): PostedGrades {
  const { state, section, search, page, delivery, answer, column, act, kind } = shape.parse(body ?? {});
  const [, said, deliveryId] = /^(ours|leave):(.+)$/.exec(answer) ?? [];
  return {
    filter: { state, sectionId: section === "" ? null : section, search, page },
    delivery,
    column: columnAnswer(column),
    decision:
      deliveryId === undefined
        ? null
        : { deliveryId, answer: said === "ours" ? "send-ours" : "leave-theirs" },
    act,
    kind,
  };
}

export function gradesFields({ state, sectionId, search, page }: ProofFilter): Record<string, string> {
  return { state: state ?? "", section: sectionId ?? "", search, page: String(page) };
}

function columnAnswer(pressed: string): PostedGrades["column"] {
  const [, said, columnId] = /^([a-z]+):(.+)$/.exec(pressed) ?? [];
  const answer = columnAnswers.find((one) => one === said);
  return columnId === undefined || answer === undefined ? null : { columnId, answer };
}
