// Saves the register of a session with each tap. Without this file, its Save button does.
import { say, sayFailed, sendTap } from "./marking.js";

const form = document.getElementById("register");
let marking = Promise.resolve();

/** The statuses that the letters of the page stand for. */
const statuses = new Map(form?.elements.letters.value.split(" ").map((one) => one.split(":")));

/** The number of a line, from the name of one of its fields. */
const numberOf = (line) => Number(line.querySelector('[name="more"]').value);

/** A line as stored, in the field that records what the instructor saw: person, revision, shown status, correction, note. */
function seenOf(line) {
  const text = form.elements.lines.value.split(",")[numberOf(line)];
  const [person, , shown = "", correction = "", note = ""] = text.split(" ").map(decodeURIComponent);
  return { person, shown, correction, note };
}
function keep(line, text) {
  const lines = form.elements.lines.value.split(",");
  lines[numberOf(line)] = text;
  form.elements.lines.value = lines.join(",");
}

function check(line, status) {
  for (const radio of line.querySelectorAll('input[type="radio"]'))
    radio.checked = statuses.get(radio.value) === status;
}

/** Saves one line after another, so that none overtakes another. */
function mark(line, status, more = {}) {
  marking = marking.then(async () => {
    const { person, shown } = seenOf(line);
    const event = form.elements.event.value;
    try {
      const fields = { event, person, was: shown, status, ...more };
      const { said, look, takesBack, line: stored } = await sendTap(form, fields);
      keep(line, stored);
      check(line, look.value);
      line.classList.toggle("todo", look.value === "");
      const undo = () => {
        line.querySelector('input[type="radio"]:checked')?.focus();
        mark(line, takesBack.status, { note: takesBack.note, undoes: "1" });
      };
      say(said, takesBack === null ? null : undo);
      refreshSoon();
    } catch {
      check(line, shown);
      sayFailed();
    }
  });
}

/** Opens a line's note in place. Without this file, the same button asks for the page with it. */
function openMore(line) {
  const { person, correction, note } = seenOf(line);
  const name = line.querySelector("button").textContent;
  const more = document.getElementById("more").content.firstElementChild.cloneNode(true);
  const field = more.querySelector("input");
  field.name = `n${numberOf(line)}`;
  field.value = note;
  field.setAttribute("aria-label", field.getAttribute("aria-label").replace("{}", name));
  const take = more.querySelector('[value^="take:"]');
  take.value = `take:${person}`;
  if (correction === "" || line.querySelector(".conflict") !== null) take.remove();
  line.querySelector('[name="more"]').after(more);
  field.focus();
}

form?.addEventListener("click", (event) => {
  const button = event.target.closest('[name="more"]');
  if (button === null) return;
  event.preventDefault();
  const line = button.closest("li");
  const more = line.querySelector(".more");
  button.setAttribute("aria-expanded", String(more === null));
  if (more === null) openMore(line);
  // Otherwise the note would be saved unseen, or lost.
  else if (more.querySelector("input").value === seenOf(line).note) more.remove();
  else {
    button.setAttribute("aria-expanded", "true");
    more.querySelector("input").focus();
  }
});
for (const line of form?.querySelectorAll(".register > li") ?? [])
  line.querySelector('[name="more"]').setAttribute("aria-expanded", String(line.querySelector(".more") !== null));

let refreshing = 0;

/** Updates the counts when nobody has marked for a moment. */
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
      // The marks are saved, and the counts are right when the page is opened again.
    }
  }, 1_000);
}

form?.addEventListener("change", (event) => {
  if (event.target.type !== "radio") return;
  mark(event.target.closest("li"), statuses.get(event.target.value));
});
