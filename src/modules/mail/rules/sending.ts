import ejs from "ejs";
import { cutTo } from "../../../kernel/text.ts";
import { hourMs, minuteMs } from "../../../kernel/clock.ts";
import type { Mail } from "./records.ts";

/** The pauses before the next attempts when the server puts a mail off (ms). After the last one, the mail is given up. */
const pausesMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 2 * hourMs, 4 * hourMs];

/**
 * sent: accepted · put-off: not accepted now, but perhaps later · refused: never accepted · unreachable: the server said nothing about this
 * mail · unknown: the connection broke after the mail's first byte.
 */
export type SmtpAnswer = {
  outcome: "sent" | "put-off" | "refused" | "unreachable" | "unknown";
  /** The server's number, or a word of ours. Never its text, which names the address. */
  reply: string;
};

export type SmtpError = {
  code?: string | undefined;
  /** The server's number. Undefined if it said nothing. */
  responseCode?: number | undefined;
  /** The command that it answered. */
  command?: string | undefined;
};

/** Commands about this mail. A refusal of the sender or the login concerns all mails. */
const commandsOfMail = ["RCPT TO", "DATA"];

/** @param begun Whether the server got the mail's first byte. From then on, silence may mean that it has the mail. */
export function judgeSmtpError(error: SmtpError, begun: boolean): SmtpAnswer {
  const { responseCode = 0, command = "" } = error;
  if (responseCode <= 0) return judgeSilence(error, begun);
  const reply = String(responseCode);
  // 421: the server closes the connection, whatever was asked.
  if (!commandsOfMail.includes(command) || responseCode === 421)
    return { outcome: begun ? "unknown" : "unreachable", reply };
  return { outcome: responseCode >= 500 ? "refused" : "put-off", reply };
}

function judgeSilence({ code = "no-answer" }: SmtpError, begun: boolean): SmtpAnswer {
  // Nothing was sent: no server would even be asked about such an address or size.
  if (!begun && (code === "EENVELOPE" || code === "EMESSAGE"))
    return { outcome: "refused", reply: "unusable" };
  return { outcome: begun ? "unknown" : "unreachable", reply: code.toLowerCase().slice(0, 40) };
}

export type MailChange = Pick<Mail, "state" | "reply" | "changedAt"> &
  Partial<Pick<Mail, "nextAt" | "attempts">>;

/** The state after the server answered. A mail that wasn't accepted is retried as long as it's useful. */
export function nextState(
  { attempts, endsAt }: Pick<Mail, "attempts" | "endsAt">,
  { outcome, reply }: SmtpAnswer,
  now: number,
): MailChange {
  const changed = { reply, changedAt: now };
  switch (outcome) {
    case "sent":
    case "refused":
    case "unknown":
      return { state: outcome, ...changed };
    case "unreachable":
      // A failed connection says nothing about this mail. The task retries.
      return { state: "waiting", ...changed };
    case "put-off": {
      const pause = pausesMs[attempts];
      if (pause === undefined || now + pause >= endsAt) return { state: "failed", ...changed };
      return { state: "waiting", ...changed, attempts: attempts + 1, nextAt: now + pause };
    }
  }
}

/** A mail's text before it's laid out. */
export type MailWords = {
  /** Such as "de", and its direction of writing. */
  language: string;
  direction: "ltr" | "rtl";
  subject: string;
  paragraphs: readonly string[];
  /** What the reader can press. */
  links: readonly { text: string; url: string }[];
  /** Why the mail came and how to stop it. */
  foot: readonly string[];
  /** Where the reader stops these mails without a login. Null for operators. */
  stop: { text: string; url: string } | null;
};

const maxSubjectLength = 200;

/** Makes a text one line, because names from the LMS may contain line breaks and other non-text characters. Keeps a script's joiners and isolates. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cn}\p{Co}\p{Z}\u202A-\u202E]+/gu, " ")
    .trim();
}

export function subjectLine(text: string): string {
  const line = oneLine(text);
  return line.length > maxSubjectLength ? `${cutTo(line, maxSubjectLength)}…` : line;
}

export function plainText({ paragraphs, links, foot, stop }: MailWords): string {
  const lines = ({ text, url }: { text: string; url: string }) => `${oneLine(text)}:\n${url}`;
  const parts = [
    ...paragraphs.map(oneLine),
    ...links.map(lines),
    "-- ",
    ...foot.map(oneLine),
    ...(stop === null ? [] : [lines(stop)]),
  ];
  return `${parts.join("\n\n").replace("-- \n\n", "-- \n")}\n`;
}

/** Contains no pictures, scripts or anything else that would be fetched. */
export function htmlText({ language, direction, subject, paragraphs, links, foot, stop }: MailWords): string {
  const anchor = ({ text, url }: { text: string; url: string }) =>
    `<a href="${ejs.escapeXML(url)}">${ejs.escapeXML(oneLine(text))}</a>`;
  const lines = (texts: readonly string[], style = "") =>
    texts.map((text) => `<p${style}>${ejs.escapeXML(oneLine(text))}</p>`);
  const small = ' style="font-size:0.85em;color:#555"';
  return [
    "<!doctype html>",
    `<html lang="${ejs.escapeXML(language)}" dir="${direction}">`,
    `<head><meta charset="utf-8"><title>${ejs.escapeXML(subject)}</title></head>`,
    '<body style="font-family:sans-serif;line-height:1.5;max-width:36em;margin:1em">',
    ...lines(paragraphs),
    ...links.map((link) => `<p>${anchor(link)}</p>`),
    "<hr>",
    ...lines(foot, small),
    ...(stop === null ? [] : [`<p${small}>${anchor(stop)}</p>`]),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}
