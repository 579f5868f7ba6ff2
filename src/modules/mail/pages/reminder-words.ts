import type { App } from "../../../app.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { isolated } from "../../../web/isolated.ts";
import type { ReminderFacts } from "../reminder-facts.ts";
import type { MailWords } from "../rules/mail-text.ts";
import { courseMailFrame, readersWords } from "./course-mail-words.ts";

/** Times are in the course's zone. @param stopUrl Where they stop these mails. */
export function reminderWords(
  deps: Pick<App, "translatorOf">,
  facts: ReminderFacts,
  stopUrl: string,
): MailWords {
  const { course, title, startsAt, endsAt } = facts;
  const t = readersWords(deps, facts);
  const times = courseTimes(course, t.locale);
  const session = isolated(t, title ?? t("review.untitled"));
  return {
    ...courseMailFrame(t, course, stopUrl),
    subject: t("mail.reminder.subject", { session, when: times.text(startsAt) }),
    paragraphs: [
      t("mail.reminder.what", { session, course: isolated(t, courseNameOf(t, course)) }),
      t("mail.reminder.when", { when: times.span(startsAt, endsAt), place: times.place(startsAt) }),
    ],
  };
}
