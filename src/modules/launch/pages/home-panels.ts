import type { Course } from "../../../domain/course.ts";
import { defaultGradePolicy, gradeOf } from "../../../domain/grade-policy.ts";
import type { RuleName } from "../../../domain/institution-defaults.ts";
import type { SettingsDifference } from "../../courses/rules/course-copy.ts";
import { completionWords, formulaWords, worthWords } from "../../grading/pages/grading-words.ts";
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
} as const satisfies Record<keyof SetUpAnswers, RuleName>;

/** Whether the institution has answered a question for all its courses. */
export function isLocked({ locked }: Pick<Course, "locked">, name: keyof SetUpAnswers): boolean {
  return locked?.includes(rules[name]) === true;
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

export function askingPanel(t: Translate, { source, differences }: CopyOffer): CopiedPanel {
  return {
    answered: null,
    source: source.title || source.label || t("product.name"),
    changes: differences.map((difference) => inWords(t, difference)),
  };
}

export function answeredPanel(t: Translate, outcome: AnsweredCopy["outcome"]): CopiedPanel {
  return { answered: t(`copied.answered.${outcome}`), source: "", changes: [] };
}

function inWords(t: Translate, difference: SettingsDifference): string {
  switch (difference.kind) {
    case "setting":
      return settingInWords(t, difference);
    case "entry-always":
      return t("copied.entryWindow.always");
    case "entry-times": {
      const { minutesBefore: before, minutesAfter: after } = difference;
      return t("copied.entryWindow.aroundSessions", { before, after });
    }
    case "check-in":
      return t(`copied.checkIn.${difference.on}`);
    case "worth":
      return worthWords(t, difference.worth);
    case "completion":
      return completionWords(t, difference.completion);
    default:
      return gradingInWords(t, difference);
  }
}

type GradingDifference = Exclude<
  SettingsDifference,
  { kind: "setting" | "entry-always" | "entry-times" | "check-in" | "worth" | "completion" }
>;

function gradingInWords(t: Translate, difference: GradingDifference): string {
  switch (difference.kind) {
    case "no-grades":
      return t("copied.noGrades");
    case "columns":
      return t(`copied.columns.${difference.each}`);
    case "points":
      return t("copied.points", { points: difference.points });
    case "credit":
      return creditInWords(t, difference);
    case "denominator": {
      const { by } = difference;
      return t(`copied.denominator.${by.kind}`, { count: by.kind === "fixed" ? by.sessions : 0 });
    }
    case "drop-lowest":
      return difference.sessions === 0
        ? t("copied.dropsNone")
        : t("copied.dropLowest", { count: difference.sessions });
    case "minimum":
      return t("copied.minimum", { count: difference.sessions });
    case "formula":
      return formulaWords(t, difference.formula);
    case "comment":
      return t(`copied.comment.${difference.on}`);
  }
}

function creditInWords(
  t: Translate,
  { status, percent }: Extract<SettingsDifference, { kind: "credit" }>,
): string {
  return percent === null ? t(`copied.leftOut.${status}`) : t(`copied.credit.${status}`, { percent });
}

function settingInWords(
  t: Translate,
  { name, value }: Extract<SettingsDifference, { kind: "setting" }>,
): string {
  if (name !== "language") return t.dynamic(`copied.settings.${name}.${String(value)}`) ?? String(value);
  const language = String(value);
  if (language === "lms" || language === "classroom") return t(`copied.language.${language}`);
  return t("copied.language.other", { language });
}
