// From: LTI postMessage Storage 0.1; Canvas's forwarding frame.
import { html } from "./html.ts";
import type { Html } from "./html.ts";

/** Canvas's limit of one tool's storage (characters). */
const limit = 4096;

/** LTI postMessage Storage: the activity page answers `lti.capabilities` and names the frame that keeps values by tool origin. */
export const canvasStorage = {
  /** Beside a tool's frame: the forwarding frame and the page's own answers. */
  besideFrame: (): Html =>
    html`<iframe
        name="post_message_forwarding"
        src="/post_message_forwarding"
        title="Storage"
        hidden
      ></iframe>
      <script>
        addEventListener("message", (event) => {
          const asked = event.data;
          if (!asked || typeof asked.subject !== "string" || !event.source) return;
          const answer = { subject: asked.subject + ".response", message_id: asked.message_id };
          if (asked.subject === "lti.capabilities") {
            const frame = "post_message_forwarding";
            answer.supported_messages = [
              { subject: "lti.capabilities" },
              { subject: "lti.put_data", frame },
              { subject: "lti.get_data", frame },
              { subject: "lti.frameResize" },
            ];
            event.source.postMessage(answer, event.origin);
          } else if (asked.subject === "lti.frameResize" && Number(asked.height) > 0) {
            document.getElementById("contentframe").style.height = Number(asked.height) + "px";
            event.source.postMessage(answer, event.origin);
          }
        });
      </script>`,

  forwardingPage: (): string =>
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <title>Storage</title>
        </head>
        <body>
          <script>
            addEventListener("message", (event) => {
              const asked = event.data;
              if (!asked || !event.source) return;
              const answer = { subject: asked.subject + ".response", message_id: asked.message_id };
              const tool = "lti " + event.origin + " ";
              const place = tool + asked.key;
              if (asked.subject === "lti.put_data") {
                const used = Object.keys(localStorage)
                  .filter((name) => name.startsWith(tool) && name !== place)
                  .reduce((sum, name) => sum + name.length - tool.length + localStorage[name].length, 0);
                if (asked.value === null) {
                  localStorage.removeItem(place);
                } else if (used + String(asked.key).length + String(asked.value).length > ${limit}) {
                  answer.error = { code: "storage_exhaustion", message: "Too much for one tool" };
                } else {
                  localStorage.setItem(place, asked.value);
                }
                if (!answer.error) Object.assign(answer, { key: asked.key, value: asked.value });
              } else if (asked.subject === "lti.get_data") {
                Object.assign(answer, { key: asked.key, value: localStorage.getItem(place) });
              } else return;
              event.source.postMessage(answer, event.origin);
            });
          </script>
        </body>
      </html>`.markup.trim(),
};
