import type { GradePolicy } from "../../../domain/grade-policy.ts";
import { gradeTogether } from "../../attendance/rules/attendance-summary.ts";
import type { ExampleLearner } from "../example-learner.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { sessionsWords, workingWords } from "./working-words.ts";

/** A learner's grade under a policy, in words. */
export type Example = { who: string; score: string | null; words: string[] };

export type ExampleShown = { example: Example };

export function exampleView(
  t: Translate,
  { name, counted, planned }: Pick<ExampleLearner, "name" | "counted" | "planned">,
  policy: GradePolicy,
): Example {
  const who = name === null ? t("grading.example.madeUp") : t("grading.example.real", { name });
  if (policy.kind === "no-grades") return { who, score: null, words: [t("grading.example.none")] };
  const grade = gradeTogether(policy, counted, planned);
  if (policy.kind === "column-per-session") return { who, score: null, words: sessionsWords(t, grade) };
  const score =
    grade.score === null
      ? t("grading.example.noScore")
      : t("grading.change.score", {
          score: numberText(t, grade.score),
          maximum: numberText(t, policy.points),
        });
  return { who, score, words: workingWords(t, grade) };
}
