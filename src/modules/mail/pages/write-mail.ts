import type { App } from "../../../app.ts";
import type { Course, Member } from "../../../domain/course.ts";
import { stopToken } from "../mail-choices.ts";
import type { WrittenMail } from "../mails.ts";
import { reminderFacts, type ReminderFacts } from "../reminders.ts";
import type { Mail, MailedAlarm, StoppableKind } from "../rules/records.ts";
import type { MailWords } from "../rules/sending.ts";
import { alarmOfMatter, operatorOf } from "../tell-alarms.ts";
import {
  digestFacts,
  type DigestFacts,
  isAboutLimit,
  limitMailFacts,
  type LimitMailFacts,
  warningFacts,
  type WarningFacts,
} from "../weekly-mails.ts";
import { type CourseTimes, courseTimes, readerFormat, utcText } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { webAddressOrNull } from "../../../web/page-address.ts";
import { minePath } from "../../../web/session-address.ts";
import { adviceText, isolated, numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** Writes a mail's words and finds its recipient, as they are now. */
export function createWriter(app: App): (mail: Mail) => Promise<WrittenMail> {
  return (mail) => {
    switch (mail.kind) {
      case "alarm":
      case "alarm-over":
        return alarmMail(app, mail);
      case "reminder":
      case "reminder-changed":
        return reminderMail(app, mail);
      case "digest":
        return digestMail(app, mail);
      case "low-attendance":
        return warningMail(app, mail);
    }
  };
}

async function alarmMail(app: App, { kind, about, operator }: Mail): Promise<WrittenMail> {
  const { alarmTo = [], alarmLanguage = "en" } = app.config.mail ?? {};
  const to = alarmTo.find((address) => operatorOf(address) === operator);
  if (to === undefined) return "no-address";
  const alarm = await app.mailedAlarms.find(alarmOfMatter(about));
  if (alarm === null) return "gone";
  const isOver = kind === "alarm-over";
  // If an alarm is over before its mail left, no mail is needed.
  if (!isOver && alarm.endedAt !== null) return "over";
  return { to, words: alarmWords(app, alarm, isOver, { now: app.clock.now(), language: alarmLanguage }) };
}

async function reminderMail(app: App, mail: Mail): Promise<WrittenMail> {
  const facts = await reminderFacts(app, mail);
  if (typeof facts === "string") return facts;
  return { to: facts.to, words: reminderWords(app, facts, stopUrl(app, facts.member, "reminder")) };
}

async function digestMail(app: App, mail: Mail): Promise<WrittenMail> {
  const facts = await digestFacts(app, mail);
  if (typeof facts === "string") return facts;
  return { to: facts.to, words: digestWords(app, facts, stopUrl(app, facts.member, "digest")) };
}

async function warningMail(app: App, mail: Mail): Promise<WrittenMail> {
  if (isAboutLimit(mail)) {
    const facts = await limitMailFacts(app, mail);
    if (typeof facts === "string") return facts;
    return { to: facts.to, words: limitWords(app, facts, stopUrl(app, facts.member, "low-attendance")) };
  }
  const facts = await warningFacts(app, mail);
  if (typeof facts === "string") return facts;
  return { to: facts.to, words: warningWords(app, facts, stopUrl(app, facts.member, "low-attendance")) };
}

function stopUrl(app: App, { personId }: Member, kind: StoppableKind): string {
  return `${app.publicUrl}/mail/${stopToken(app, { personId, kind })}`;
}

/** About a session to come, or one that differs from an earlier mail. Times are in the course's zone. @param stopUrl Where to stop these mails. */
export function reminderWords(
  app: Pick<App, "translatorOf" | "publicUrl">,
  facts: ReminderFacts,
  stopUrl: string,
): MailWords {
  const { course, title } = facts;
  const t = readersWords(app, facts);
  const times = courseTimes(course, t.locale);
  const session = isolated(t, title ?? t("common.untitledSession"));
  const { subject, lines } = changedLines(t, times, facts);
  return {
    ...courseMailFrame(t, app, facts, stopUrl),
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
  const zoned = { when, place: times.place(at) };
  switch (change?.what) {
    case "cancelled": {
      const was = { when: times.text(change.from), place: times.place(change.from) };
      return { subject: t("mail.reminder.cancelled"), lines: [t("mail.reminder.cancelledWhen", was)] };
    }
    case "moved": {
      const lines = [t("mail.reminder.moved", { from: times.text(change.from), ...zoned })];
      return { subject: t("mail.reminder.movedTo", { when: times.text(at) }), lines };
    }
    case "restored":
      return { subject: times.text(at), lines: [t("mail.reminder.restored", zoned)] };
    case undefined:
      return { subject: times.text(at), lines: [t("mail.reminder.when", zoned)] };
  }
}

export function digestWords(
  app: Pick<App, "translatorOf" | "publicUrl">,
  facts: DigestFacts,
  stopUrl: string,
): MailWords {
  const { course, week, sessions, low, unmatched, missing, limits } = facts;
  const t = readersWords(app, facts);
  const name = isolated(t, courseNameOf(t, course));
  const share = readerFormat(t, "UTC").percent(low.share / 100);
  const line = (label: string, count: number) => t("label.value", { label, value: numberText(t, count) });
  return {
    ...courseMailFrame(t, app, facts, stopUrl),
    subject: t("mail.digest.subject", { course: name }),
    paragraphs: [
      t("mail.digest.week", { day: courseTimes(course, t.locale).date(week) }),
      line(t("mail.digest.sessions"), sessions),
      line(t("mail.digest.low", { share }), low.learners),
      line(t("mail.digest.unmatched"), unmatched),
      line(t("mail.digest.missing"), missing),
      ...limits.map(({ label, learners }) =>
        line(t("limits.reached", { label: isolated(t, label) }), learners),
      ),
    ],
  };
}

export function warningWords(
  app: Pick<App, "translatorOf" | "publicUrl">,
  facts: WarningFacts,
  stopUrl: string,
): MailWords {
  const t = readersWords(app, facts);
  return {
    ...courseMailFrame(t, app, facts, stopUrl),
    subject: t("mail.low.subject", { course: isolated(t, courseNameOf(t, facts.course)) }),
    paragraphs: warningText(t, facts),
  };
}

export function limitWords(
  app: Pick<App, "translatorOf" | "publicUrl">,
  facts: LimitMailFacts,
  stopUrl: string,
): MailWords {
  const t = readersWords(app, facts);
  const course = isolated(t, courseNameOf(t, facts.course));
  const { attended, recorded } = facts.facts;
  return {
    ...courseMailFrame(t, app, facts, stopUrl),
    subject: t("mail.low.subject", { course }),
    paragraphs: [
      t("limits.mail", { course, label: isolated(t, facts.limit.label) }),
      t("limits.sum", { attended: numberText(t, attended), recorded: numberText(t, recorded) }),
      t("mail.low.ask"),
    ],
  };
}

/** Also previews the text before it's sent. */
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

/** For operators. */
function alarmWords(
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
      ...(isOver ? [] : [adviceText(t, alarm.message, alarm.coded)]),
      t("mail.alarm.since", { when: utcText(t, alarm.openedAt) }),
      ...(isOver ? [t("mail.alarm.over", { when: utcText(t, now) })] : []),
    ],
    links: [{ text: t("mail.alarm.link"), url: `${publicUrl}/admin/alarms` }],
    foot: [t("mail.alarm.why", { host })],
    stop: null,
  };
}

type Reader = { course: Course; member: Pick<Member, "language" | "role"> };

/** In the reader's language, or the course's. */
function readersWords({ translatorOf }: Pick<App, "translatorOf">, { member, course }: Reader): Translate {
  return translatorOf(member.language ?? course.language);
}

/** What surrounds the text of every mail about a course. @param stopUrl Where to stop mails of its kind. */
function courseMailFrame(
  t: Translate,
  { publicUrl }: Pick<App, "publicUrl">,
  { course, member }: Reader,
  stopUrl: string,
): Pick<MailWords, "language" | "direction" | "links" | "foot" | "stop"> {
  const url = webAddressOrNull(course.courseUrl);
  const own = { text: t("ended.pages.mine"), url: `${publicUrl}${minePath}/${course.id}` };
  return {
    ...mailLanguage(t),
    links:
      url === null
        ? []
        : [{ text: t("common.openCourse"), url }, ...(member.role === "learner" ? [own] : [])],
    foot: [t("mail.reminder.why", { course: isolated(t, courseNameOf(t, course)) })],
    stop: { text: t("mail.stop.stop"), url: stopUrl },
  };
}

function mailLanguage(t: Translate): Pick<MailWords, "language" | "direction"> {
  return { language: t("language.code"), direction: t("language.direction") === "rtl" ? "rtl" : "ltr" };
}
