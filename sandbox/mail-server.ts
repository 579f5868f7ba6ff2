import { listen } from "./listen.ts";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A mail as the mailbox shows it. */
export type ReceivedMail = {
  /** When it was accepted (ms). */
  at: number;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** By their names in lower case. */
  headers: ReadonlyMap<string, string>;
  /** The whole mail, unchanged. */
  raw: string;
};

export type MailServer = {
  port: number;
  /** For SMTP_URL. */
  url: string;
  /** The accepted mails, in order. */
  mails: () => readonly ReceivedMail[];
  /** Responds to the next mails with this reply code: 451 defers, 550 refuses. */
  refuse: (at: "recipient" | "data", code: number, times?: number) => void;
  /** Receives the next mail but never responds. @returns when it has received it completely. */
  takeSilently: () => Promise<void>;
  close: () => Promise<void>;
};

type Refusal = { at: "recipient" | "data"; code: number };

/** A mail server that delivers nothing: real SMTP, and one mailbox for everybody. */
export async function startMailServer(
  wanted: { port?: number; login?: { user: string; password: string } } = {},
): Promise<MailServer> {
  const taken: ReceivedMail[] = [];
  const refusals: Refusal[] = [];
  const silent: (() => void)[] = [];
  const refusalAt = (at: Refusal["at"]): Error | null => {
    const next = refusals.findIndex((one) => one.at === at);
    const [refusal] = next === -1 ? [] : refusals.splice(next, 1);
    return refusal === undefined
      ? null
      : Object.assign(new Error("As the sandbox was told."), { responseCode: refusal.code });
  };
  const server = new SMTPServer({
    authOptional: wanted.login === undefined,
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 200,
    onAuth: ({ username, password }, _session, done) => {
      const { login } = wanted;
      if (login !== undefined && username === login.user && password === login.password)
        done(null, { user: username });
      else done(new Error("Wrong user or password."));
    },
    onRcptTo: (_address, _session, done) => {
      done(refusalAt("recipient"));
    },
    onData: (stream, session, done) => {
      void read(stream).then(async (raw) => {
        const refusal = refusalAt("data");
        if (refusal !== null) {
          done(refusal);
          return;
        }
        for (const { address } of session.envelope.rcptTo) taken.push(await opened(raw, address));
        const isSilent = silent.shift();
        if (isSilent === undefined) done(null);
        else isSilent();
      }, done);
    },
  });
  // Clients that are killed break their connections.
  server.on("error", () => undefined);
  const port = await listen(server.server, wanted.port);
  const user =
    wanted.login === undefined
      ? ""
      : `${encodeURIComponent(wanted.login.user)}:${encodeURIComponent(wanted.login.password)}@`;
  return {
    port,
    url: `smtp://${user}127.0.0.1:${port}`,
    mails: () => taken,
    refuse: (at, code, times = 1) => {
      for (let time = 0; time < times; time += 1) refusals.push({ at, code });
    },
    takeSilently: () => new Promise((resolve) => silent.push(resolve)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
}

async function read(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

async function opened(raw: string, to: string): Promise<ReceivedMail> {
  const mail = await PostalMime.parse(raw);
  return {
    at: Date.now(),
    to,
    raw,
    from: mail.from?.address ?? "",
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    html: mail.html ?? "",
    headers: new Map(mail.headers.map(({ key, value }) => [key, value])),
  };
}
