// One tap marks one learner: what is sent, and what is said about it with a way back until the next action.
const said = document.getElementById("said");

/**
 * Sends a tap. @param form Has the session's field and says where (`data-mark`).
 * @returns what to say, how the mark looks now (`look`), and what takes it back (`takesBack`, or null).
 */
export async function sendTap(form, fields) {
  const body = new URLSearchParams(fields);
  const session = form.querySelector('input[name="session"]');
  if (session !== null) body.set("session", session.value);
  const answer = await fetch(form.dataset.mark, { method: "POST", body, headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** Says what happened, in place of what was said before. @param undo Null where nothing can be taken back. */
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
  // A text that is set once the place is there again is read out.
  requestAnimationFrame(() => said.replaceChildren(toast));
}

export function sayFailed() {
  say(said.dataset.failed);
}
