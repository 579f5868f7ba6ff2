// Browsers let a page close only a tab that a page opened. If the tab stays open, the page asks the person to close it.
const button = document.getElementById("close");
button.hidden = false;
button.addEventListener("click", () => {
  window.close();
  setTimeout(() => {
    document.getElementById("tab").textContent = button.dataset.byHand;
    button.hidden = true;
  }, 300);
});
