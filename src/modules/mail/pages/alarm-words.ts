import type { App } from "../../../app.ts";
import { utcText } from "../../../web/course-times.ts";
import type { MailWords } from "../rules/mail-text.ts";
import type { MailedAlarm } from "../rules/records.ts";
import { mailLanguage } from "./mail-language.ts";

/** For operators; what a fault says of itself is in English, as in the console. */
export function alarmWords(
  { translatorOf, publicUrl }: Pick<App, "translatorOf" | "publicUrl">,
  alarm: MailedAlarm,
  isOver: boolean,
  { now, language }: { now: number; language: string },
): MailWords {
  const t = translatorOf(language);
  const about = t.dynamic(`inbox.alarms.what.${alarm.what}`) ?? alarm.what;
  const whose = alarm.name ?? alarm.account;
  const what = whose === null ? about : t("label.value", { label: whose, value: about });
  const { host } = new URL(publicUrl);
  return {
    ...mailLanguage(t),
    subject: t(isOver ? "mail.alarm.subjectOver" : "mail.alarm.subject", { what }),
    paragraphs: [
      what,
      ...(isOver || alarm.message === null ? [] : [alarm.message]),
      t("mail.alarm.since", { when: utcText(t, alarm.openedAt) }),
      ...(isOver ? [t("mail.alarm.over", { when: utcText(t, now) })] : []),
    ],
    link: { text: t("mail.alarm.link"), url: `${publicUrl}/admin/alarms` },
    foot: [t("mail.alarm.why", { host })],
    stop: null,
  };
}
