import type { App } from "../../../app.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { webAddressOrNull } from "../../../web/web-address.ts";
import type { ReminderFacts } from "../reminder-facts.ts";
import type { MailWords } from "../rules/mail-text.ts";

/** In the reader's language, else the course's; times in the course's zone. @param stopUrl Where they stop these mails. */
export function reminderWords(
  { translatorOf }: Pick<App, "translatorOf">,
  { course, member, title, startsAt, endsAt }: ReminderFacts,
  stopUrl: string,
): MailWords {
  const t = translatorOf(member.language ?? course.language ?? null);
  const times = courseTimes(course, t.locale);
  const name = courseNameOf(t, course);
  const session = title ?? t("review.untitled");
  const url = webAddressOrNull(course.courseUrl);
  return {
    language: t("language.code"),
    direction: t("language.direction") === "rtl" ? "rtl" : "ltr",
    subject: t("mail.reminder.subject", { session, when: times.text(startsAt) }),
    paragraphs: [
      t("mail.reminder.what", { session, course: name }),
      t("mail.reminder.when", { when: times.span(startsAt, endsAt), place: times.place(startsAt) }),
    ],
    link: url === null ? null : { text: t("mail.reminder.link"), url },
    foot: [t("mail.reminder.why", { course: name })],
    stop: { text: t("mail.stop.link"), url: stopUrl },
  };
}
