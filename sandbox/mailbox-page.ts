import type { ReceivedMail } from "./mail-server.ts";
import { plainStyle } from "./plain-style.ts";
import { html, type Html } from "./html.ts";

/** All mailboxes in one, newest first: each mail as text and as its HTML, which may neither run nor fetch anything. */
export function mailboxPage(mails: readonly ReceivedMail[]): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="refresh" content="10" />
        <title>Mailbox of the demo</title>
        <style>
          ${{ markup: plainStyle + style }}
        </style>
      </head>
      <body>
        <main>
          <h1>Mailbox of the demo</h1>
          <p>
            ${mails.length === 0 ? "No e-mails yet." : "Nothing of this has left the machine. Newest first."}
          </p>
          ${mails.toReversed().map(mailView)}
        </main>
      </body>
    </html>`;
}

function mailView({ at, from, to, subject, text, html: markup }: ReceivedMail): Html {
  return html`<article>
    <h2>${subject}</h2>
    <p>To ${to}, from ${from}, ${new Date(at).toISOString()}</p>
    <pre>${text}</pre>
    <details>
      <summary>As HTML</summary>
      <iframe sandbox="allow-popups" title="${subject}" srcdoc="${markup}"></iframe>
    </details>
  </article>`;
}

const style = `
article { border-top: 1px solid var(--line); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { width: 100%; height: 16rem; border: 1px solid var(--line); background: #fff; }
`;
