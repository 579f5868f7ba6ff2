// From: document 4 (Space URL parameters); the pages are this sandbox's own.
import type { Turned } from "../assumptions.ts";
import { html, type Html, table } from "../html.ts";
import { plainStyle } from "../plain-style.ts";
import { eventButtons, spaceScript } from "./space-script.ts";
import type { Visitor } from "./visits.ts";
import type { StandInSpace } from "./world.ts";

const style = `${plainStyle}
.stand-in { font-size: .875rem; border-bottom: 1px solid var(--line); padding-bottom: .5rem; margin-bottom: 1rem; }
form { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end; margin: .5rem 0; }
label { display: grid; gap: .125rem; font-size: .875rem; min-width: 8rem; }
label.tick { display: flex; align-items: center; min-width: 0; }
input[type=checkbox] { min-height: 1.5rem; min-width: 1.5rem; }
details, .panel { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; margin: .5rem 0; }
summary { cursor: pointer; min-height: 1.5rem; font-weight: 600; }
.panel > h2 { margin-top: 0; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; }
`;

/** `refreshSeconds` reloads it. */
export function page(options: {
  title: string;
  language?: string;
  refreshSeconds?: number;
  main: Html;
  script?: Html;
}): string {
  const refresh =
    options.refreshSeconds === undefined
      ? null
      : html`<meta http-equiv="refresh" content="${options.refreshSeconds}" />`;
  return html`<!doctype html>
    <html lang="${options.language ?? "en"}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        ${refresh}
        <title>${options.title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${{ markup: style }}
        </style>
      </head>
      <body>
        <header class="stand-in" lang="en">
          Stand-in classroom, for trying things out. No video, no sound.
        </header>
        <main>${options.main}</main>
        ${
          options.script === undefined
            ? null
            : html`<script type="module">
                ${options.script};
              </script>`
        }
      </body>
    </html>`.markup;
}

/** As in the document (part 4). */
const meanings: Readonly<Record<string, string>> = {
  startCall: "the call starts when the first host joins",
  skipCallHostCheck: "with startCall, the call starts for anybody",
  skipDeviceSetup: "no device check; microphone and camera start off",
  gv: "gallery view",
  standalone: "no navigation out of the Space, no Copy Link, no Invite Users",
  language: "language of the page (its words here are English)",
  startLocalRecording: "local recording starts with the call",
  broadcastEvents: "events go to the page around this one",
};

export type SpaceView = {
  space: StandInSpace;
  visitor: Visitor;
  userTabId: string;
  startedCall: boolean;
  /** From authorize's Space URL, or from the address without a login. */
  parameters: Readonly<Record<string, string>>;
  /** Has no effect on a token-login URL. */
  ignored: readonly string[];
  hostUrl: string;
  turned: Turned;
  redirects: boolean;
};

export function spacePage(view: SpaceView): string {
  const { space, visitor, parameters } = view;
  const language = parameters.language ?? "en";
  const standalone = parameters.standalone === "true";
  const skipSetup = parameters.skipDeviceSetup === "true";
  return page({
    title: `${space.name} – Space`,
    language,
    main: html` <h1>${space.name}</h1>
      <p>
        <strong>Welcome, ${visitor.name}</strong> (<span id="role">${visitor.role}</span>,
        <span id="user-id">${visitor.userId}</span>). ${space.access}
        Space${space.enableWaitingRoom ? ", waiting room on" : null}.
      </p>
      ${standalone ? null : html`<p id="navigation"><a href="${view.hostUrl}">Spaces Manager</a> · <span>Copy Link</span> · <span>Invite Users</span></p>`}
      <section class="panel" aria-labelledby="call-heading">
        <h2 id="call-heading">Call</h2>
        <p id="call" role="status">${callSentence(view, skipSetup)}</p>
        <p>
          ${parameters.gv === "true" ? "Gallery view." : "Board view."}${
            parameters.startLocalRecording === "true" ? " Local recording starts with the call." : null
          }
        </p>
        <div class="buttons"><button type="button" id="leave">Leave Space</button></div>
      </section>
      <section aria-labelledby="people-heading">
        <h2 id="people-heading">People here</h2>
        <ul id="people">
          ${space.people.map((person) => html`<li>${person.name} (${person.role})</li>`)}
        </ul>
      </section>
      ${parameterTable(parameters, view.ignored)}
      ${parameters.broadcastEvents === "true" ? eventButtons(view.turned) : null}
      <p><a href="${view.hostUrl}" target="_blank" rel="noopener">Host controls (new tab)</a></p>`,
    script: spaceScript({
      spaceId: space.spaceId,
      userTabId: view.userTabId,
      broadcast: parameters.broadcastEvents === "true",
      startedCall: view.startedCall,
      callRunning: space.call !== null,
      userId: visitor.userId,
      redirects: view.redirects,
    }),
  });
}

function callSentence(view: SpaceView, skipSetup: boolean): string {
  if (view.space.call === null) return "No call yet.";
  const began = view.startedCall ? "You started the call by joining." : "A call is running.";
  return skipSetup
    ? `${began} You joined with microphone and camera off.`
    : `${began} Device check: choose Join.`;
}

function parameterTable(parameters: Readonly<Record<string, string>>, ignored: readonly string[]): Html {
  const names = Object.keys(parameters);
  return html` <h2>Parameters applied</h2>
    ${
      names.length === 0
        ? html`<p id="applied">None.</p>`
        : table(
            "Parameters applied",
            ["Parameter", "Value", "Meaning"],
            names.map(
              (name) =>
                html`<tr>
                  <th scope="row">${name}</th>
                  <td>${parameters[name] ?? ""}</td>
                  <td>${meanings[name] ?? "unknown, no effect"}</td>
                </tr>`,
            ),
            "applied",
          )
    }
    ${
      ignored.length === 0
        ? null
        : html`<p id="ignored">
            On the token-login URL, without effect: ${ignored.join(", ")}. They belong on the Space URL given
            as redirectUrl.
          </p>`
    }`;
}

export function sentencePage(title: string, sentence: string, refreshSeconds?: number): string {
  return page({
    title,
    ...(refreshSeconds === undefined ? {} : { refreshSeconds }),
    main: html`<h1>${title}</h1>
      <p role="status">${sentence}</p>`,
  });
}
