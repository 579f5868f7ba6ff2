// Opens the classroom by itself where the browser allows a new tab without a click; elsewhere the button stays.
const form = document.getElementById("enter");
const note = document.getElementById("entered");
const entered = () => {
  note.textContent = note.dataset.opened;
};
form.addEventListener("submit", entered);

// Once for this page's session: a reload or a "back" must not open another tab.
const key = "opened:" + form.elements.session.value.slice(-32);
let openedBefore = true;
try {
  openedBefore = sessionStorage.getItem(key) !== null;
  sessionStorage.setItem(key, "1");
} catch {
  openedBefore = false; // storage is blocked in this frame
}
// The answer to "send again now" is this page once more, for somebody who did not ask to enter.
const launched = !location.pathname.startsWith("/course/");
const navigation = performance.getEntriesByType("navigation")[0];
if (launched && !openedBefore && navigation?.type === "navigate") {
  const name = "classroom";
  const tab = window.open("about:blank", name);
  if (tab !== null) {
    tab.opener = null;
    form.target = name;
    form.removeAttribute("rel");
    form.submit();
    form.target = "_blank";
    entered();
  }
}
