import type { Grade } from "../../../domain/grade-policy.ts";
import { sumOf, weighedByMinutes } from "../../../domain/grade-sentence.ts";
import type { GradeWorking } from "../../../domain/grade-working.ts";
import { inList, numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** One sentence each: what counts, is left out or dropped, the divisor, the sum. Empty without grades. */
export function workingWords(t: Translate, { working, score }: Grade): string[] {
  if (working === null) return [];
  const parts = [...countedWords(t, working), ...leftOutWords(t, working)];
  if (working.counted === 0) return [t("grading.working.nothing"), ...leftOutWords(t, working)];
  if (working.noScore === "held-back") return [...parts, ...completionWords(t, working)];
  if (score === null) return [...parts, belowWords(t, working)];
  return [
    ...parts,
    ...droppedWords(t, working),
    ...divisorWords(t, working),
    ...formulaWords(t, working),
    t("grading.working.sum", { explanation: sumOf(working, score, (number) => numberText(t, number)) }),
    ...completionWords(t, working),
  ];
}

function completionWords(t: Translate, { completion }: GradeWorking): string[] {
  if (completion === null) return [];
  const { attended: count, needed, of, isReached, before } = completion;
  const open = before === "held" ? "held" : "open";
  const words = t(`grading.working.completion.${isReached ? "reached" : open}`, { count, needed });
  return [of === null ? words : `${words} ${t("grading.working.completion.of", { needed, of })}`];
}

/** Where each session has its own column. */
export function sessionsWords(t: Translate, { working }: Grade): string[] {
  if (working === null) return [];
  const list = listOf(t, working);
  return [
    list === "" ? t("grading.working.nothing") : t("grading.working.perSession", { list }),
    ...leftOutWords(t, working),
  ];
}

function countedWords(t: Translate, working: GradeWorking): string[] {
  return [t("grading.working.counted", { list: listOf(t, working) })];
}

function listOf(t: Translate, { terms }: GradeWorking): string {
  const byStatus = terms.filter(({ byMinutes }) => byMinutes === undefined);
  const weighed = weighedByMinutes(terms);
  const list = byStatus.map(({ status, count, points }) =>
    t(`grading.working.${count === 1 ? "earnedOne" : "earned"}`, {
      count,
      points: numberText(t, points),
      status: t(`grading.working.words.${status}`),
    }),
  );
  if (weighed.count > 0) {
    const { count, points } = weighed;
    list.push(t("grading.working.byMinutes", { count, points: numberText(t, points) }));
  }
  return inList(t, list);
}

function leftOutWords(t: Translate, { leftOut, uncounted }: GradeWorking): string[] {
  const list = leftOut.map(({ status, count }) =>
    t("grading.working.leftOutItem", { count, status: t(`grading.working.words.${status}`) }),
  );
  const words = list.length === 0 ? [] : [t("grading.working.leftOut", { list: inList(t, list) })];
  return uncounted === 0 ? words : [...words, t("grading.working.uncounted", { count: uncounted })];
}

function belowWords(t: Translate, { counted, minimum }: GradeWorking): string {
  return t("grading.working.below", { count: counted, minimum });
}

function droppedWords(t: Translate, { terms, divisor }: GradeWorking): string[] {
  const { dropped } = divisor;
  if (dropped === 0) return [];
  const held = terms.reduce((sum, term) => sum + term.dropped, 0);
  const words = t("grading.working.dropped", { count: dropped });
  return [held === dropped ? words : `${words} ${t("grading.working.droppedOpen")}`];
}

function formulaWords(t: Translate, { formula }: GradeWorking): string[] {
  if (formula.kind === "mean") return [];
  const percent = formula.percent;
  if (formula.kind === "points-off") return [t("grading.working.formula.points-off", { percent })];
  return [
    t(`grading.working.formula.${formula.kind}.${formula.isReached ? "reached" : "missed"}`, { percent }),
  ];
}

function divisorWords(t: Translate, { divisor, formula }: GradeWorking): string[] {
  if (formula.kind === "points-off") return [];
  const { basis, sessions, of, without, dropped, open } = divisor;
  const less = [
    without === 0 ? "" : t("grading.working.lessLeftOut", { count: without }),
    dropped === 0 ? "" : t("grading.working.lessDropped", { count: dropped }),
  ].join("");
  const words =
    basis === "counted" && dropped > 0
      ? t("grading.working.countedLess", { sessions, of, less })
      : t(`grading.working.dividedBy.${basis}`, { sessions, of, less });
  return [open === 0 ? words : `${words} ${t("grading.working.open", { count: open })}`];
}
