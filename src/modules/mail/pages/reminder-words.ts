import type { App } from "../../../app.ts";
import { type CourseTimes, courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { isolated } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import type { ReminderFacts } from "../reminder-facts.ts";
import type { MailWords } from "../rules/mail-text.ts";
import { courseMailFrame, readersWords } from "./course-mail-words.ts";

/** Of a session to come, or of one that is not as an earlier mail said. Times are in the course's zone. @param stopUrl Where they stop these mails. */
export function reminderWords(
  deps: Pick<App, "translatorOf">,
  facts: ReminderFacts,
  stopUrl: string,
): MailWords {
  const { course, title } = facts;
  const t = readersWords(deps, facts);
  const times = courseTimes(course, t.locale);
  const session = isolated(t, title ?? t("review.untitled"));
  const { subject, lines } = changedLines(t, times, facts);
  return {
    ...courseMailFrame(t, course, stopUrl),
    subject: t("mail.reminder.subject", { session, when: subject }),
    paragraphs: [
      t("mail.reminder.what", { session, course: isolated(t, courseNameOf(t, course)) }),
      ...lines,
    ],
  };
}

function changedLines(t: Translate, times: CourseTimes, { startsAt, endsAt, change }: ReminderFacts) {
  const at = startsAt ?? 0;
  const when = times.span(at, endsAt);
  const place = times.place(at);
  switch (change?.what) {
    case "cancelled": {
      const was = { when: times.text(change.from), place: times.place(change.from) };
      return { subject: t("mail.reminder.cancelled"), lines: [t("mail.reminder.cancelledWhen", was)] };
    }
    case "moved": {
      const lines = [t("mail.reminder.moved", { from: times.text(change.from), when, place })];
      return { subject: t("mail.reminder.movedTo", { when: times.text(at) }), lines };
    }
    case "restored":
      return { subject: times.text(at), lines: [t("mail.reminder.restored", { when, place })] };
    case undefined:
      return { subject: times.text(at), lines: [t("mail.reminder.when", { when, place })] };
  }
}
