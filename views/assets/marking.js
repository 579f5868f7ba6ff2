// One tap marks one learner. This sends it, and says so with a way to undo it until the next action.
const said = document.getElementById("said");

/**
 * Sends a tap. @param form Has the field of the session, and the address in `data-mark`.
 * @returns what to say, how the mark looks now (`look`), and what undoes it (`takesBack`, or null)
 */
export async function sendTap(form, fields) {
  const body = new URLSearchParams(fields);
  const session = form.querySelector('input[name="session"]');
  if (session !== null) body.set("session", session.value);
  const answer = await fetch(form.dataset.mark, { method: "POST", body, headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** Says what happened, in place of the previous message. @param undo Null if nothing can be undone */
export function say(text, undo = null) {
  const toast = document.createElement("div");
  toast.className = "toast";
  const words = document.createElement("span");
  words.textContent = text;
  toast.append(words);
  if (undo !== null) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "small";
    button.textContent = said.dataset.undo;
    button.addEventListener("click", undo, { once: true });
    toast.append(button);
  }
  said.replaceChildren();
  // Screen readers read a text that is set after its element appears.
  requestAnimationFrame(() => said.replaceChildren(toast));
}

export function sayFailed() {
  say(said.dataset.failed);
}
