import type { App } from "../../../app.ts";
import { utcText } from "../../../web/utc-text.ts";
import type { MailWords } from "../rules/mail-text.ts";
import type { MailedAlarm } from "../rules/records.ts";

/** For operators, in English as all that is written for them outside the console. */
export function alarmWords(
  { translatorOf, publicUrl }: Pick<App, "translatorOf" | "publicUrl">,
  alarm: MailedAlarm,
  isOver: boolean,
  now: number,
): MailWords {
  const t = translatorOf("en");
  const about = t.dynamic(`inbox.alarms.what.${alarm.what}`) ?? alarm.what;
  const whose = alarm.name ?? alarm.account;
  const what = whose === null ? about : t("label.value", { label: whose, value: about });
  const { host } = new URL(publicUrl);
  return {
    ...{ language: "en", direction: "ltr" },
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
