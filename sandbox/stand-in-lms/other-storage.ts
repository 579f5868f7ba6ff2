// From: LTI postMessage Storage 0.1.
import { html } from "./html.ts";
import type { Html } from "./html.ts";

/** In the page around the tool (`lti_storage_target` is `_parent`), as in Sakai. A missing key is answered with a plain text error. */
export function otherStorage(): Html {
  return html`<script>
    const kept = {};
    addEventListener("message", (event) => {
      const asked = event.data;
      if (!asked || typeof asked.subject !== "string" || !event.source) return;
      const answer = { subject: asked.subject + ".response", message_id: asked.message_id };
      const place = (kept[event.origin] = kept[event.origin] || {});
      if (asked.subject === "lti.capabilities") {
        answer.supported_messages = [
          { subject: "lti.capabilities" },
          { subject: "lti.put_data" },
          { subject: "lti.get_data" },
        ];
      } else if (asked.subject === "lti.put_data") {
        if (asked.value === null) delete place[asked.key];
        else place[asked.key] = asked.value;
        Object.assign(answer, { key: asked.key, value: asked.value });
      } else if (asked.subject === "lti.get_data") {
        answer.key = asked.key;
        if (Object.hasOwn(place, asked.key)) answer.value = place[asked.key];
        else answer.error = "key not found";
      } else return;
      event.source.postMessage(answer, event.origin);
    });
  </script>`;
}
