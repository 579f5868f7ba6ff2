import { beforeEach, describe, expect, test } from "vitest";
import { readMail } from "../../../src/config-mail.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import {
  addMails,
  listMails,
  mailId,
  sendMails,
  type NewMail,
  type WrittenMail,
} from "../../../src/modules/mail/mails.ts";
import type { MailWords } from "../../../src/modules/mail/rules/sending.ts";
import { createSmtpMailer } from "../../../src/modules/mail/smtp-mailer.ts";
import { type MailServer, startMailServer } from "../../../sandbox/mail-server.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const minute = 60_000;
const login = { user: "tool@example.edu", password: "p:w/d" };

let server: MailServer;
let written: (personId: string) => WrittenMail;
let now = 0;
const clock = { now: () => now, sleep: () => Promise.resolve() };
const ending = new AbortController().signal;

const kept = await forAllTests(openEmptyStores());
beforeEach(async () => {
  await kept.empty();
  server = await startMailServer({ login });
  now = Date.parse("2026-11-27T10:00:30Z");
  written = (name) => ({ to: `${name}@example.edu`, words });
  return () => server.close();
});

const words: MailWords = {
  language: "en",
  direction: "ltr",
  subject: "Chemistry\r\nBcc: eve@example.edu begins",
  paragraphs: ["It begins at 11:00."],
  links: [],
  foot: ["Why"],
  stop: { text: "Stop", url: "https://tool.example/mail/token" },
};

function configured(url: string, perMinute = 60) {
  const { mail, problems } = readMail({
    SMTP_URL: url,
    MAIL_FROM: "Classroom <classroom@example.edu>",
    MAIL_PER_MINUTE: perMinute,
    ALLOW_PRIVATE_PLATFORMS: "0",
  });
  if (mail === null) throw new Error(problems.join());
  return mail;
}

const deps = (url = server.url, perMinute = 60) => ({
  ...kept.stores,
  clock,
  wake: () => undefined,
  logger: createLogger("silent"),
  perMinute,
  mailer: createSmtpMailer(configured(url), "https://tool.example"),
  write: ({ personId }: { personId: string | null }) => Promise.resolve().then(() => written(personId ?? "")),
});

const wanted = (personId: string, change: Partial<NewMail> = {}): NewMail => ({
  registrationId: "reg",
  courseId: "crs",
  personId,
  operator: null,
  kind: "alarm",
  about: "event@1",
  endsAt: now + 60 * minute,
  ...change,
});

const want = (...names: string[]) =>
  addMails(
    deps(),
    names.map((name) => wanted(name)),
  );
const send = (...given: Parameters<typeof deps>) => sendMails(deps(...given), "reg", ending);
const stateOf = async (name: string) => {
  const mail = await kept.stores.mails.find(mailId(wanted(name)));
  return mail === null ? null : `${mail.state} ${mail.reply ?? ""}`.trim();
};
const receivers = () => server.mails().map(({ to }) => to);

describe("mails", () => {
  test("arrive once each, however often they were requested and sent", async () => {
    await Promise.all([want("ada", "ben"), want("ben", "ada"), want("ada")]);
    await send();
    await want("ada");
    await send();
    expect(receivers().toSorted()).toEqual(["ada@example.edu", "ben@example.edu"]);
    expect(await stateOf("ada")).toBe("sent 250");
    expect(await kept.stores.tasks.store.findMany("mails", ["reg"])).toHaveLength(1);
  });

  test("have safe headers, and are text and HTML", async () => {
    await want("ada");
    await send();
    const [mail] = server.mails();
    expect(mail?.subject).toBe("Chemistry Bcc: eve@example.edu begins");
    expect(mail?.headers.has("bcc")).toBe(false);
    expect(mail?.headers.get("from")).toBe("Classroom <classroom@example.edu>");
    expect(mail?.headers.get("list-unsubscribe")).toBe("<https://tool.example/mail/token>");
    expect(mail?.headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(mail?.headers.get("auto-submitted")).toBe("auto-generated");
    expect(mail?.headers.get("message-id")).toBe(`<${mailId(wanted("ada"))}@example.edu>`);
    expect(mail?.text).toContain("It begins at 11:00.");
    expect(mail?.html).toContain('<a href="https://tool.example/mail/token">Stop</a>');
  });

  test("that the server postpones are retried later, but not those it refuses", async () => {
    await want("ada");
    server.refuse("recipient", 451);
    expect(await send()).toEqual({ nextAt: null });
    expect(await stateOf("ada")).toBe("waiting 451");
    expect(await send()).toEqual({ nextAt: now + minute });
    now += minute;
    server.refuse("data", 452);
    await send();
    expect(await stateOf("ada")).toBe("waiting 452");
    now += 5 * minute;
    await send();
    expect(await stateOf("ada")).toBe("sent 250");

    await want("ben");
    server.refuse("recipient", 550);
    await send();
    expect(await stateOf("ben")).toBe("refused 550");
    await send();
    expect(receivers()).toEqual(["ada@example.edu"]);
  });

  test("don’t wait for one that can’t be written, which is retried later", async () => {
    await want("ada", "ben");
    const whole = written;
    written = (name) => {
      if (name === "ada") throw new Error("no such session");
      return whole(name);
    };
    await send();
    expect(receivers()).toEqual(["ben@example.edu"]);
    expect(await stateOf("ada")).toBe("waiting not-written");
    written = whole;
    now += minute;
    await send();
    expect(await stateOf("ada")).toBe("sent 250");
  });

  test("wait unchanged while the server is down or refuses the login, and expire some day", async () => {
    await want("ada");
    const wrong = server.url.replace(/p%3Aw%2Fd/, "wrong");
    await expect(send(wrong)).rejects.toMatchObject({ code: "mail-server-unreachable", temporary: true });
    expect(await stateOf("ada")).toBe("waiting 535");
    await expect(send("smtp://127.0.0.1:1")).rejects.toMatchObject({ code: "mail-server-unreachable" });
    now += 61 * minute;
    await send();
    expect(await stateOf("ada")).toBe("failed too-late");
    expect(receivers()).toEqual([]);
  });

  test("are not sent again when it is unknown whether the server accepted them", async () => {
    await want("ada", "ben");
    await kept.stores.mails.begin(mailId(wanted("ada")), now);
    await send();
    expect(await stateOf("ada")).toBe("unknown killed");
    expect(await stateOf("ben")).toBe("sent 250");
    await send();
    expect(receivers()).toEqual(["ben@example.edu"]);
  });

  test("whose connection breaks during their text may have arrived, and are sent once", async () => {
    await want("ada");
    const silent = server.takeSilently();
    const sending = send();
    await silent;
    await server.close();
    await sending.catch(() => undefined);
    expect(await stateOf("ada")).toMatch(/^unknown /);
    expect(receivers()).toEqual(["ada@example.edu"]);
  });

  test("don’t wait for a server that takes one and never says so", async () => {
    await want("ada");
    void server.takeSilently();
    const mailer = createSmtpMailer(configured(server.url), "https://tool.example", 1_000);
    await sendMails({ ...deps(), mailer }, "reg", ending);
    expect(await stateOf("ada")).toBe("unknown etimedout");
    await want("ben");
    await send();
    expect(await stateOf("ben")).toBe("sent 250");
  });

  test("that another process has begun are sent once", async () => {
    await want("ada");
    await Promise.allSettled([send(), send(), send()]);
    expect(receivers()).toEqual(["ada@example.edu"]);
  });

  test("are limited per minute over all processes", async () => {
    await want("ada", "ben", "cem", "dan");
    expect(await send(server.url, 2)).toEqual({ nextAt: Date.parse("2026-11-27T10:01:00Z") });
    expect(receivers()).toHaveLength(2);
    now += minute;
    await send(server.url, 2);
    expect(receivers()).toHaveLength(4);
    const turns = await Promise.all(
      Array.from({ length: 9 }, () => kept.stores.mails.takeTurn(99_999_999, 4)),
    );
    expect(turns.filter(Boolean)).toHaveLength(4);
  });

  test("that nobody should get by then are not sent", async () => {
    await want("ada");
    written = () => "stopped";
    await send();
    expect(await stateOf("ada")).toBe("unneeded stopped");
    expect(receivers()).toEqual([]);
  });

  test("of a process that ends are left for the next one", async () => {
    await want("ada");
    const gone = AbortSignal.abort(new Error("ending"));
    await expect(sendMails(deps(), "reg", gone)).rejects.toThrow("ending");
    expect(await stateOf("ada")).toBe("waiting");
  });

  test("are listed latest first, and an LMS's own to its administrators", async () => {
    await want("ada");
    now += 1;
    await addMails(deps(), [wanted("ben", { registrationId: "other", courseId: null })]);
    const filter = { registrationId: null, state: null };
    const all = await listMails(kept.stores, filter, null);
    expect(all.mails.map(({ personId }) => personId)).toEqual(["ben", "ada"]);
    const own = await listMails(kept.stores, { ...filter, registrationId: "reg" }, null);
    expect(own.mails.map(({ personId }) => personId)).toEqual(["ada"]);
    expect((await listMails(kept.stores, { ...filter, state: "sent" }, null)).mails).toEqual([]);
  });
});

test("A course cannot cause more mails in a day than the limit", async () => {
  const many = Array.from({ length: 5_100 }, (_, number) => wanted(`p${number}`));
  for (let from = 0; from < many.length; from += 300) await addMails(deps(), many.slice(from, from + 300));
  expect(await kept.stores.mails.countOfCourse("crs", 0)).toBe(5_000);
});
