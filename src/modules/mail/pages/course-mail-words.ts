import type { App } from "../../../app.ts";
import type { Course, Member } from "../../../domain/course.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { isolated } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { webAddressOrNull } from "../../../web/page-address.ts";
import type { MailWords } from "../rules/mail-text.ts";
import { mailLanguage } from "./mail-language.ts";

type Reader = { course: Course; member: Pick<Member, "language"> };

/** In the reader's language, else the course's. */
export function readersWords(
  { translatorOf }: Pick<App, "translatorOf">,
  { member, course }: Reader,
): Translate {
  return translatorOf(member.language ?? course.language ?? null);
}

/** What stands around the words of every mail about a course. @param stopUrl Where they stop mails of its kind. */
export function courseMailFrame(
  t: Translate,
  course: Course,
  stopUrl: string,
): Pick<MailWords, "language" | "direction" | "link" | "foot" | "stop"> {
  const url = webAddressOrNull(course.courseUrl);
  return {
    ...mailLanguage(t),
    link: url === null ? null : { text: t("mail.reminder.link"), url },
    foot: [t("mail.reminder.why", { course: isolated(t, courseNameOf(t, course)) })],
    stop: { text: t("mail.stop.link"), url: stopUrl },
  };
}
