import type { Turned } from "../assumptions.ts";
import { eventButtons } from "./embed-events.ts";
import { html, type Html } from "./html.ts";
import { page } from "./page.ts";
import { spaceScript } from "./space-script.ts";
import type { Visitor } from "./visits.ts";
import type { StandInSpace } from "./world.ts";

/** As in the document (part 4). */
const meanings: Readonly<Record<string, string>> = {
  startCall: "the call starts when the first host joins",
  skipCallHostCheck: "with startCall, the call starts for anybody",
  skipDeviceSetup: "no device check; microphone and camera start off",
  gv: "gallery view",
  standalone: "no navigation out of the Space, no Copy Link, no Invite Users",
  language: "language of the page",
  startLocalRecording: "local recording starts with the call",
  broadcastEvents: "events go to the page around this one",
};

/** Makes the language parameter visible. */
const welcomes: Readonly<Record<string, string>> = {
  en: "Welcome",
  de: "Willkommen",
  es: "Te damos la bienvenida",
  fr: "Bienvenue",
  it: "Ti diamo il benvenuto",
  pt: "Boas-vindas",
  pl: "Witamy",
  tr: "Hoş geldiniz",
};

export type SpaceView = {
  space: StandInSpace;
  visitor: Visitor;
  userTabId: string;
  startedCall: boolean;
  /** From authorize's Space URL, or from the address without a login. */
  parameters: Readonly<Record<string, string>>;
  /** Without effect on a token-login URL. */
  ignored: readonly string[];
  standaloneByDefault: boolean;
  hostUrl: string;
  turned: Turned;
  redirects: boolean;
};

export function spacePage(view: SpaceView): string {
  const { space, visitor, parameters } = view;
  const language = parameters.language ?? "en";
  const standalone = view.standaloneByDefault || parameters.standalone === "true";
  const skipSetup = parameters.skipDeviceSetup === "true";
  return page({
    title: `${space.name} – Space`,
    language,
    main: html` <h1>${space.name}</h1>
      <p>
        <strong>${welcomes[language] ?? `Welcome (${language})`}, ${visitor.name}</strong> (<span id="role"
          >${visitor.role}</span
        >, <span id="user-id">${visitor.userId}</span>). ${space.access}
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
        : html`<div class="scroll" role="region" aria-label="Parameters applied" tabindex="0">
            <table id="applied">
              <thead>
                <tr>
                  <th scope="col">Parameter</th>
                  <th scope="col">Value</th>
                  <th scope="col">Meaning</th>
                </tr>
              </thead>
              <tbody>
                ${names.map(
                  (name) =>
                    html`<tr>
                      <th scope="row">${name}</th>
                      <td>${parameters[name] ?? ""}</td>
                      <td>${meanings[name] ?? "unknown, no effect"}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
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
