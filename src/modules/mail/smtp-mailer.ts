import { once } from "node:events";
import { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { z } from "zod";
import type { MailConfig } from "../../config-mail.ts";
import { messageOf } from "../../kernel/errors.ts";
import {
  htmlText,
  judgeSmtpError,
  type MailWords,
  plainText,
  type SmtpAnswer,
  subjectLine,
} from "./rules/sending.ts";

/** One mail must be handed over within this time, from its first command to the server's answer (ms). */
const maxSendMs = 60_000;

type OutgoingMail = {
  to: string;
  /** The part of the Message-ID before the @. */
  id: string;
  at: number;
  words: MailWords;
};

/** A connection to the mail server, for the mails of one run. */
export type SmtpSession = {
  /**
   * @param begin Called just before the mail's first byte is sent. If it returns false, nothing is sent.
   * @returns the outcome, or null if `begin` returned false.
   */
  send: (mail: OutgoingMail, begin: () => Promise<boolean>) => Promise<SmtpAnswer | null>;
  close: () => void;
};

export type Mailer = { open: () => SmtpSession };

const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 30_000,
};

/**
 * Speaks SMTP with nodemailer, which is loaded with the first mail. Uses its connection instead of its transport, to know the last moment
 * before a mail can have arrived.
 */
export function createSmtpMailer(config: MailConfig, publicUrl: string, maxMs = maxSendMs): Mailer {
  return { open: () => openSession(config, publicUrl, maxMs) };
}

function openSession(config: MailConfig, publicUrl: string, maxMs: number): SmtpSession {
  const { host, port, secure, requireTls: requireTLS, login } = config.server;
  let connection: SMTPConnection | null = null;
  const drop = () => {
    connection?.close();
    connection = null;
  };
  const connected = async (): Promise<SMTPConnection> => {
    if (connection !== null) return connection;
    const { default: Connection } = await import("nodemailer/lib/smtp-connection");
    const fresh = new Connection({
      host,
      port,
      secure,
      requireTLS,
      name: new URL(publicUrl).hostname,
      ...timeouts,
    });
    // The mail under way hears about it separately. Between two mails, nobody needs to.
    fresh.on("error", () => undefined);
    fresh.once("end", () => {
      if (connection === fresh) connection = null;
    });
    // Set before the login, so the connection is dropped if the login fails or takes too long.
    connection = fresh;
    const failed = once(fresh, "error").then(([error]) => Promise.reject(asError(error)));
    failed.catch(() => undefined);
    await Promise.race([callback((done) => fresh.connect(done)), failed]);
    if (login !== null)
      await Promise.race([
        callback((done) => fresh.login({ user: login.user, pass: login.password }, done)),
        failed,
      ]);
    return fresh;
  };
  return {
    send: async (mail, begin) => {
      const state = { begun: false, stopped: false };
      // Nodemailer reports nothing about a mail whose connection we close, and a server that keeps talking is never silent.
      const late = Promise.withResolvers<never>();
      late.promise.catch(() => undefined);
      const tooLate = Object.assign(new Error("the mail took too long"), { code: "ETIMEDOUT" });
      const timer = setTimeout(() => late.reject(tooLate), maxMs).unref();
      try {
        const bytes = await composed(config, mail);
        const line = await Promise.race([connected(), late.promise]);
        // Only read when the server has said that it waits for the mail.
        const body = Readable.from(
          (async function* () {
            state.stopped = !(await begin());
            if (state.stopped) throw new Error("not to be sent any more");
            state.begun = true;
            yield bytes;
          })(),
        );
        const taken = callback((done) => {
          line.send({ from: config.from.address, to: [mail.to], size: bytes.length }, body, done);
        });
        await Promise.race([taken, late.promise]);
        return { outcome: "sent", reply: "250" };
      } catch (thrown) {
        // If the connection is closed in the middle, a server accepts nothing. After an answer, it's asked again.
        drop();
        return state.stopped ? null : judgeSmtpError(errorFacts.safeParse(thrown).data ?? {}, state.begun);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {
      connection?.quit();
      connection = null;
    },
  };
}

async function composed(config: MailConfig, { to, id, at, words }: OutgoingMail): Promise<Buffer> {
  const { from } = config;
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const composer = new MailComposer({
    from: from.name === "" ? from.address : { name: from.name, address: from.address },
    to: { name: "", address: to },
    subject: subjectLine(words.subject),
    text: plainText(words),
    html: htmlText(words),
    date: new Date(at),
    messageId: `<${id}@${from.address.split("@").at(-1) ?? "localhost"}>`,
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(words.stop === null
        ? {}
        : {
            "List-Unsubscribe": { prepared: true, value: `<${words.stop.url}>` },
            "List-Unsubscribe-Post": { prepared: true, value: "List-Unsubscribe=One-Click" },
          }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

function callback(start: (done: (error: Error | null | undefined) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => {
      if (error === null || error === undefined) resolve();
      else reject(error);
    });
  });
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
}

const errorFacts = z.object({
  code: z.string().optional().catch(undefined),
  responseCode: z.number().optional().catch(undefined),
  command: z.string().optional().catch(undefined),
});
