import type { App } from "../../../app.ts";
import { courseTimes, readerFormat } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { isolated, numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { MailWords } from "../rules/mail-text.ts";
import type { DigestFacts, WarningFacts } from "../weekly-facts.ts";
import { courseMailFrame, readersWords } from "./course-mail-words.ts";

type WordsDeps = Pick<App, "translatorOf">;

export function digestWords(deps: WordsDeps, facts: DigestFacts, stopUrl: string): MailWords {
  const { course, week, sessions, low, unmatched, missing } = facts;
  const t = readersWords(deps, facts);
  const name = isolated(t, courseNameOf(t, course));
  const share = readerFormat(t, "UTC").percent(low.share / 100);
  const line = (label: string, count: number) => t("label.value", { label, value: numberText(t, count) });
  return {
    ...courseMailFrame(t, facts.course, stopUrl),
    subject: t("mail.digest.subject", { course: name }),
    paragraphs: [
      t("mail.digest.week", { day: courseTimes(course, t.locale).date(week) }),
      line(t("mail.digest.sessions"), sessions),
      line(t("mail.digest.low", { share }), low.learners),
      line(t("mail.digest.unmatched"), unmatched),
      line(t("mail.digest.missing"), missing),
    ],
  };
}

export function warningWords(deps: WordsDeps, facts: WarningFacts, stopUrl: string): MailWords {
  const t = readersWords(deps, facts);
  return {
    ...courseMailFrame(t, facts.course, stopUrl),
    subject: t("mail.low.subject", { course: isolated(t, courseNameOf(t, facts.course)) }),
    paragraphs: warningText(t, facts),
  };
}

/** Also for whoever wants to see it before it is sent. */
export function warningText(
  t: Translate,
  { course, share, learner }: Pick<WarningFacts, "course" | "share" | "learner">,
): string[] {
  const { percent } = readerFormat(t, "UTC");
  return [
    t("mail.low.what", {
      course: isolated(t, courseNameOf(t, course)),
      attended: numberText(t, learner.attended),
      recorded: numberText(t, learner.recorded),
      percent: percent(learner.percent / 100),
    }),
    t("mail.low.share", { share: percent(share / 100) }),
    t("mail.low.ask"),
  ];
}
