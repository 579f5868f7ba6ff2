import type { Course } from "../../../domain/course.ts";
import { defaultGradePolicy, gradeOf } from "../../../domain/grade-policy.ts";
import * as inEffect from "../../../settings/in-effect.ts";
import { formOfCourse } from "../../courses/pages/settings-form.ts";
import { differenceWords } from "../../courses/pages/settings-view.ts";
import { policyWords } from "../../grading/pages/grading-words.ts";
import type { AnsweredCopy, CopyOffer } from "../copied-settings.ts";
import type { SetUpAnswers } from "../set-up.ts";
import type { Translate } from "../../../web/translate.ts";

export type SetUpNews = "saved" | "later" | "hidden";

type SetUpQuestion = {
  name: keyof SetUpAnswers;
  legend: string;
  /** Set by the institution: shown, not asked. */
  locked: boolean;
  choices: { value: string; label: string; hint: string | null; chosen: boolean }[];
};

export type SetUpView = { questions: SetUpQuestion[]; settingsRevision: number; policyRevision: number };

const attended = ["PRESENT", "PRESENT", "LATE"].map((status) => ({ status }));

/** With the present answers chosen, or those typed. @param reader.mayCorrect Whether they are asked about grades, too. */
export function setUpView(
  t: Translate,
  course: Course,
  answers: SetUpAnswers,
  { mayCorrect }: { mayCorrect: boolean },
): SetUpView {
  const { settingsRevision, policyRevision, door } = course;
  const minutes = { before: door.minutesBefore, after: door.minutesAfter };
  const choice = (value: string, chosen: boolean, label: string, hint: string | null = null) => ({
    value,
    label,
    hint,
    chosen,
  });
  const questions: SetUpQuestion[] = [
    {
      name: "grading",
      locked: isLocked(course, "grading"),
      legend: t("setUp.grading.legend"),
      choices: (["one-column", "column-per-session", "no-grades"] as const).map((kind) =>
        choice(
          kind,
          kind === answers.grading,
          t(`setUp.grading.${kind}`),
          kind === "one-column" ? exampleText(t, course) : null,
        ),
      ),
    },
    {
      name: "mode",
      locked: isLocked(course, "mode"),
      legend: t("setUp.mode.legend"),
      choices: (["tab", "embedded"] as const).map((mode) =>
        choice(mode, mode === answers.mode, t(`setUp.mode.${mode}`), t(`setUp.mode.hints.${mode}`)),
      ),
    },
    {
      name: "learnersStart",
      locked: isLocked(course, "learnersStart"),
      legend: t("setUp.start.legend"),
      choices: (["no", "yes"] as const).map((start) =>
        choice(start, (start === "yes") === answers.learnersStart, t(`setUp.start.${start}`)),
      ),
    },
    {
      name: "opens",
      locked: isLocked(course, "opens"),
      legend: t("setUp.opens.legend"),
      choices: (["always", "around-sessions"] as const).map((opens) =>
        choice(opens, opens === answers.opens, t(`setUp.opens.${opens}`, minutes)),
      ),
    },
  ];
  return {
    settingsRevision,
    policyRevision,
    questions: questions.filter(({ name }) => mayCorrect || name !== "grading"),
  };
}

const rules = {
  grading: "kind",
  mode: "mode",
  learnersStart: "call",
  opens: "doorTimes",
} as const satisfies Record<keyof SetUpAnswers, inEffect.OptionName>;

/** Whether the institution has answered a question for all its courses. */
export function isLocked(course: Pick<Course, "locked">, name: keyof SetUpAnswers): boolean {
  return inEffect.isLocked(course, rules[name]);
}

/** By the course's policy, or the default one where it gives no grades. */
function exampleText(t: Translate, { policy }: Course): string {
  const rule = policy.kind === "no-grades" ? defaultGradePolicy : policy;
  if (rule.kind === "no-grades") return "";
  const { explanation } = gradeOf(
    { ...rule, kind: "one-column", minimumSessions: 1 },
    attended,
    attended.length,
  );
  return t("setUp.grading.example", { sum: explanation, points: rule.points });
}

/** The question, or what became of the answer; for `launch/copied.ejs`. */
export type CopiedPanel = { answered: string | null; source: string; changes: string[] };

export type CopiedPart = { t: Translate; session: string; copied: CopiedPanel };

export function askingPanel(
  t: Translate,
  course: Course,
  { source, after, changes }: CopyOffer,
): CopiedPanel {
  return {
    answered: null,
    source: source.title || source.label || t("product.name"),
    changes: changes ? changeWords(t, course, after) : [],
  };
}

/** As the settings page and the page of grading write them. */
function changeWords(t: Translate, before: Course, after: Course): string[] {
  const sections = { sectionKind: "groups" as const, sections: [] };
  const lines = differenceWords(t, sections, formOfCourse(before), formOfCourse(after));
  const policy = policyWords(t, after.policy).join(" ");
  const checksIn = after.checkIn;
  return [
    ...lines.map(({ label, now }) => t("label.value", { label, value: now })),
    ...(checksIn === before.checkIn ? [] : [t(`copied.checkIn.${checksIn}`)]),
    ...(policy === policyWords(t, before.policy).join(" ")
      ? []
      : [t("label.value", { label: t("nav.grades"), value: policy })]),
  ];
}

export function answeredPanel(t: Translate, outcome: AnsweredCopy["outcome"]): CopiedPanel {
  return { answered: t(`copied.answered.${outcome}`), source: "", changes: [] };
}
