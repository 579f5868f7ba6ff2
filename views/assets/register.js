// The register of a session, saved as it is tapped. Without this file, its Save button saves it.
import { say, sayFailed, sendTap } from "./marking.js";

const form = document.getElementById("register");
let marking = Promise.resolve();

/** A mark as it is stored, in the page's own record of what was seen: revision, correction, note, status. */
const seenOf = (line) => line.querySelector('input[name^="seen."]');
const shownOf = (line) => JSON.parse(seenOf(line).value)[3] ?? "";

function check(line, status) {
  for (const radio of line.querySelectorAll('input[type="radio"]')) radio.checked = radio.value === status;
}

/** One after the other, so that nothing overtakes. */
function mark(line, status, more = {}) {
  marking = marking.then(async () => {
    const person = line.dataset.person;
    const event = form.elements.event.value;
    try {
      const fields = { event, person, was: shownOf(line), status, ...more };
      const { said, look, takesBack, seen } = await sendTap(form, fields);
      seenOf(line).value = seen;
      check(line, look.value);
      line.classList.toggle("todo", look.value === "");
      const undo = () => {
        line.querySelector('input[type="radio"]:checked')?.focus();
        mark(line, takesBack.status, { note: takesBack.note, undoes: "1" });
      };
      say(said, takesBack === null ? null : undo);
      refreshSoon();
    } catch {
      check(line, shownOf(line));
      sayFailed();
    }
  });
}

let refreshing = 0;

/** Counts follow once nobody has marked for a moment. */
function refreshSoon() {
  clearTimeout(refreshing);
  refreshing = setTimeout(async () => {
    const fields = ["session", "event", "section", "show", "page"].flatMap((name) => {
      const field = form.elements[name];
      return field === undefined ? [] : [[name, field.value]];
    });
    try {
      const answer = await fetch(form.dataset.again, { method: "POST", body: new URLSearchParams(fields) });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const part of ["#recorded", ".marks > .chips"]) {
        const fresh = page.querySelector(part);
        const old = document.querySelector(part);
        if (fresh !== null && old !== null && !old.contains(document.activeElement)) old.replaceWith(fresh);
      }
    } catch {
      // The marks are saved; the counts are right when the page is opened again.
    }
  }, 1_000);
}

form?.addEventListener("change", (event) => {
  if (event.target.type !== "radio") return;
  mark(event.target.closest("li"), event.target.value);
});
