import type { App } from "../../../app.ts";
import { reminderFacts } from "../reminder-facts.ts";
import type { Member } from "../../../domain/course.ts";
import type { Mail, StoppableKind } from "../rules/records.ts";
import type { WrittenMail } from "../send-mails.ts";
import { stopToken } from "../stop-tokens.ts";
import { alarmOfMatter, operatorOf } from "../tell-alarms.ts";
import { alarmWords } from "./alarm-words.ts";
import { digestFacts, warningFacts } from "../weekly-facts.ts";
import { reminderWords } from "./reminder-words.ts";
import { digestWords, warningWords } from "./weekly-words.ts";

/** The words of a mail, and whom it goes to, as it is now. */
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
  // An alarm that is over before its mail left needs none.
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
  const facts = await warningFacts(app, mail);
  if (typeof facts === "string") return facts;
  return { to: facts.to, words: warningWords(app, facts, stopUrl(app, facts.member, "low-attendance")) };
}

function stopUrl(app: App, { registrationId, personId }: Member, kind: StoppableKind): string {
  return `${app.publicUrl}/mail/${stopToken(app, { registrationId, personId, kind })}`;
}
