import ejs from "ejs";
import { describe, expect, test } from "vitest";
import { mailAddressOf, namedMailAddress } from "../../src/domain/mails.ts";
import { alarmsToTell } from "../../src/modules/mail/rules/due.ts";
import {
  htmlText,
  judgeSmtpError,
  type MailWords,
  nextState,
  plainText,
  type SmtpError,
  subjectLine,
} from "../../src/modules/mail/rules/sending.ts";
import type { MailedAlarm } from "../../src/modules/mail/rules/records.ts";

describe("an e-mail address from outside", () => {
  test.each(["ada@example.edu", "ada.l+x@mail.example.co.uk", "jürgen@bücher.example", " ada@example.edu "])(
    "%j is used",
    (text) => expect(mailAddressOf(text)).toBe(text.trim()),
  );

  test.each([
    null,
    "",
    "ada",
    "ada@",
    "@example.edu",
    "ada@example.edu\r\nBcc: all@example.edu",
    "ada@example.edu\nRCPT TO:<eve@example.edu>",
    "ada@example.edu, eve@example.edu",
    "ada@example.edu;eve@example.edu",
    "Ada <ada@example.edu>",
    "<ada@example.edu>",
    '"ada eve"@example.edu',
    "ada@eve@example.edu",
    "-oQ/tmp@example.edu",
    "ada@-example.edu",
    "ada@example..edu",
    "ada@example.edu.",
    "ada\u0000@example.edu",
    "ada\u202e@example.edu",
    "ada@[127.0.0.1]",
    `${"a".repeat(250)}@example.edu`,
    "ada\ud800@example.edu",
  ])("%j is refused", (text) => expect(mailAddressOf(text)).toBeNull());

  test.each([
    ["classroom@example.edu", { name: "", address: "classroom@example.edu" }],
    [
      "Online classroom <classroom@example.edu>",
      { name: "Online classroom", address: "classroom@example.edu" },
    ],
    ['"Classroom" <classroom@example.edu>', { name: "Classroom", address: "classroom@example.edu" }],
    ["A\r\nBcc: x@example.edu <classroom@example.edu>", null],
    ["Classroom <nobody>", null],
  ])("a sender %j is read as %j", (text, named) => expect(namedMailAddress(text)).toEqual(named));
});

describe("the answer of a mail server", () => {
  test.each<[SmtpError, boolean, string]>([
    [{ responseCode: 550, command: "RCPT TO" }, false, "refused"],
    [{ responseCode: 451, command: "RCPT TO" }, false, "put-off"],
    [{ responseCode: 452, command: "DATA" }, true, "put-off"],
    [{ responseCode: 554, command: "DATA" }, true, "refused"],
    [{ responseCode: 535, command: "AUTH PLAIN", code: "EAUTH" }, false, "unreachable"],
    [{ responseCode: 550, command: "MAIL FROM" }, false, "unreachable"],
    [{ responseCode: 421, command: "RCPT TO" }, false, "unreachable"],
    [{ responseCode: 421, command: "DATA" }, true, "unknown"],
    [{ code: "ECONNECTION", command: "CONN" }, false, "unreachable"],
    [{ code: "ECONNECTION", command: "CONN" }, true, "unknown"],
    [{ code: "ETIMEDOUT", command: "CONN" }, true, "unknown"],
    [{ code: "EENVELOPE" }, false, "refused"],
    [{}, false, "unreachable"],
  ])("%j, begun: %s, is %s", (error, begun, outcome) => {
    expect(judgeSmtpError(error, begun).outcome).toBe(outcome);
  });

  test("is kept without its text, which names the address", () => {
    const error = { responseCode: 550, command: "RCPT TO", message: "ada@example.edu unknown" };
    expect(judgeSmtpError(error, false)).toEqual({ outcome: "refused", reply: "550" });
  });

  test("postpones a mail a few times, but not beyond its use", () => {
    const day = 24 * 3_600_000;
    const putOff = { outcome: "put-off", reply: "451" } as const;
    const states = [0, 1, 5, 6].map((attempts) => nextState({ attempts, endsAt: day }, putOff, 0));
    expect(states.map(({ state }) => state)).toEqual(["waiting", "waiting", "waiting", "failed"]);
    expect(states[0]).toMatchObject({ attempts: 1, nextAt: 60_000 });
    expect(nextState({ attempts: 0, endsAt: 60_000 }, putOff, 0).state).toBe("failed");
  });
});

const words = (change: Partial<MailWords> = {}): MailWords => ({
  language: "en",
  direction: "ltr",
  subject: "S",
  paragraphs: ["P"],
  links: [],
  foot: ["F"],
  stop: null,
  ...change,
});

describe("a mail in words", () => {
  test("keeps a name from the LMS on one line", () => {
    const name = "Lecture\r\nBcc: eve@example.edu\u2028\u0000 two";
    expect(subjectLine(name)).toBe("Lecture Bcc: eve@example.edu two");
    expect(plainText(words({ paragraphs: [name] })).split("\n")[0]).toBe("Lecture Bcc: eve@example.edu two");
    expect(subjectLine("a".repeat(500))).toHaveLength(201);
    expect(subjectLine("\u2068علم الأحياء\u2069 \u202etxt")).toBe("\u2068علم الأحياء\u2069 txt");
  });

  test("shows what looks like markup as text", () => {
    const link = { text: "<i>open</i>", url: 'https://lms.example/?a="b"&c=1' };
    const html = htmlText(words({ paragraphs: ["<script>alert(1)</script> & 'x'"], links: [link] }));
    expect(html).toContain(`<p>${ejs.escapeXML("<script>alert(1)</script> & 'x'")}</p>`);
    expect(html).toContain(`<a href="${ejs.escapeXML(link.url)}">${ejs.escapeXML(link.text)}</a>`);
    expect(html).not.toMatch(/<script|<i>|"b"/);
  });

  test("has the direction of its language", () => {
    expect(htmlText(words({ language: "ar", direction: "rtl" }))).toContain('<html lang="ar" dir="rtl">');
  });
});

describe("alarms in mails", () => {
  const hour = 3_600_000;
  const alarm = (id: string, openedAt: number, endedAt: number | null = null): MailedAlarm => ({
    id,
    what: id,
    registrationId: null,
    account: null,
    name: null,
    message: "Do this.",
    coded: null,
    openedAt,
    endedAt,
  });
  const told = (on: MailedAlarm[], before: MailedAlarm[], now: number) => {
    const { begun, over } = alarmsToTell(on, before, now);
    return { begun: begun.map(({ id }) => id), over: over.map(({ id }) => id) };
  };

  test("are those that began or ended", () => {
    expect(told([alarm("jobs", 9)], [alarm("clock", 1)], 9)).toEqual({ begun: ["jobs"], over: ["clock"] });
    expect(told([alarm("jobs", 9)], [alarm("jobs", 1)], 9)).toEqual({ begun: [], over: [] });
    expect(told([], [alarm("jobs", 1, 5)], 9)).toEqual({ begun: [], over: [] });
    expect(told([alarm("jobs", 1)], [alarm("jobs", 1)], 9 * hour), "still on").toEqual({
      begun: [],
      over: [],
    });
  });

  test("are remembered if they were mailed within the last hour and continue", () => {
    const on = [alarm("new", 10), alarm("old", 10), alarm("unknown", 10)];
    const before = [alarm("new", 11), alarm("old", 10), alarm("over", 11)];
    expect(alarmsToTell(on, before, hour + 10).recent.map(({ id }) => id)).toEqual(["new"]);
  });

  test("are mailed once an hour if they come and go", () => {
    const before = [alarm("jobs", 0, 10)];
    expect(told([alarm("jobs", 20)], before, 20).begun).toEqual([]);
    expect(told([alarm("jobs", hour)], before, hour).begun).toEqual(["jobs"]);
  });

  test("are mailed a few at a time, and never twice", () => {
    const many = Array.from({ length: 30 }, (_, number) => alarm(`a${number}`, 0));
    expect(told([...many, ...many], [], 0).begun).toHaveLength(20);
  });
});
