import ejs from "ejs";
import { cutTo } from "../../../kernel/text.ts";

/** A mail in words, before it is laid out. */
export type MailWords = {
  /** Such as "de"; and how it is written. */
  language: string;
  direction: "ltr" | "rtl";
  subject: string;
  paragraphs: readonly string[];
  /** What to press; null for nothing. */
  link: { text: string; url: string } | null;
  /** Why it came and how it stops. */
  foot: readonly string[];
  /** Where the reader stops these mails without a log-in; null for operators. */
  stop: { text: string; url: string } | null;
};

const maxSubjectLength = 200;

/** One line: names from the LMS may hold breaks and other signs that are no text. Joiners and isolates of a script stay. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cn}\p{Co}\p{Z}\u202A-\u202E]+/gu, " ")
    .trim();
}

export function subjectLine(text: string): string {
  const line = oneLine(text);
  return line.length > maxSubjectLength ? `${cutTo(line, maxSubjectLength)}…` : line;
}

export function plainText({ paragraphs, link, foot, stop }: MailWords): string {
  const parts = [
    ...paragraphs.map(oneLine),
    ...(link === null ? [] : [`${oneLine(link.text)}:\n${link.url}`]),
    "-- ",
    ...foot.map(oneLine),
    ...(stop === null ? [] : [`${oneLine(stop.text)}:\n${stop.url}`]),
  ];
  return `${parts.join("\n\n").replace("-- \n\n", "-- \n")}\n`;
}

/** Without pictures, scripts or anything that is fetched. */
export function htmlText({ language, direction, subject, paragraphs, link, foot, stop }: MailWords): string {
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
    ...(link === null ? [] : [`<p>${anchor(link)}</p>`]),
    "<hr>",
    ...lines(foot, small),
    ...(stop === null ? [] : [`<p${small}>${anchor(stop)}</p>`]),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}
