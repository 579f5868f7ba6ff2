// Copies a value of the page. Without a clipboard (no permission, plain http), it selects the value for the keyboard.
const note = document.getElementById("copied");

const select = (element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
};

for (const button of document.querySelectorAll("button[data-copy]")) {
  const value = document.getElementById(button.dataset.copy);
  const usual = button.textContent;
  const name = button.getAttribute("aria-label");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(value.textContent);
      note.textContent = button.dataset.copied;
      button.textContent = button.dataset.done; // the note may be out of sight
      button.removeAttribute("aria-label"); // its name is what it shows
      setTimeout(() => {
        button.textContent = usual;
        if (name !== null) button.setAttribute("aria-label", name);
      }, 3000);
    } catch {
      select(value);
      note.textContent = note.dataset.selected;
    }
  });
}
