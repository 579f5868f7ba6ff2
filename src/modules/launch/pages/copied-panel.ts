import type { SettingsDifference } from "../../courses/rules/course-copy.ts";
import type { AnsweredCopy } from "../answer-copied-settings.ts";
import type { CopyOffer } from "../offer-copied-settings.ts";
import type { Translate } from "../../../web/translate.ts";
import { completionWords, formulaWords, worthWords } from "../../grading/pages/grading-words.ts";

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
