// The button into the classroom: it opens here, when the course wants it so and this page may give it a camera; else in a
// new tab. After a learner's launch it opens by itself, where the browser allows that without a click. Elsewhere, and for
// an instructor, who may have come to read grades, the button waits.
import { missingRights } from "./frame-rights.js";

const form = document.getElementById("enter");
const note = document.getElementById("entered");
const button = form.querySelector("button");
/** A second tab would put the same person into the classroom twice, or overtake the first one's place in line. */
const quieten = () => {
  button.classList.remove("primary");
  button.lastChild.textContent = button.dataset.again;
};
const entered = () => {
  note.textContent = note.dataset.opened;
  quieten();
  remember(String(Date.now()));
};

/** A phone or tablet (device.js): the classroom replaces this page, after a tap. */
const oneWindow = document.documentElement.classList.contains("one-window");
const here = await mayOpenHere();
if (here) {
  form.elements.shown.value = "embedded";
  form.removeAttribute("target");
  form.removeAttribute("rel");
  const lead = document.getElementById("lead");
  lead.textContent = lead.dataset.embedded;
} else if (oneWindow) {
  const lead = document.getElementById("lead");
  lead.textContent = lead.dataset.place;
} else {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (openTab()) return;
    // Such as an app's web view that opens no windows.
    form.target = "_top";
    form.submit();
  });
}

// Once for this page's session: a reload or a "back" must not open it again.
const key = "opened:" + form.elements.session.value.slice(-32);
const classMs = 60 * 60_000;
const openedBefore = remembered();
if (Date.now() - Number(openedBefore) < classMs) quieten();
if (openedBefore === null) remember("0");
// Pages of the course lead here, too, for somebody who did not ask to enter.
const address = new URL(location.href);
const launched = address.searchParams.has("launched") || !/^\/(c|course)\//.test(address.pathname);
if (address.searchParams.has("launched")) history.replaceState(history.state, "", address.pathname);
const navigation = performance.getEntriesByType("navigation")[0];
if ("itself" in form.dataset && launched && openedBefore === null && navigation?.type === "navigate") {
  if (here) form.submit();
  else if (!oneWindow) openTab();
}

/** When this session's tab was last opened (ms), "0" for a page that opened none; null for the first page, or where nothing is kept. */
function remembered() {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return /(?:^|; )opened=(\d+)/.exec(document.cookie)?.[1] ?? null;
  }
}

function remember(openedAt) {
  try {
    sessionStorage.setItem(key, openedAt);
  } catch {
    // Chromium that blocks third-party cookies keeps no storage in a frame, but a partitioned cookie. Without both, each page counts as the first.
    const path = location.pathname.split("/", 3).join("/");
    document.cookie = `opened=${openedAt}; Path=${path}; Max-Age=${classMs / 1000}; Secure; SameSite=None; Partitioned`;
  }
}

/** Whether the classroom may open in this window; where only the rights are missing, the page says which. */
async function mayOpenHere() {
  const origins = form.dataset.embeds?.split(" ");
  if (origins === undefined || document.documentElement.classList.contains("tablet")) return false;
  const missing = isSecureContext ? await missingRights(["microphone", "camera"], origins) : ["insecure"];
  if (missing.length === 0) return true;
  const why = missing.length === 2 ? "both" : missing[0];
  document.querySelector(`[data-why="${why}"]`).hidden = false;
  return false;
}

/** Whether the browser lets a tab open. */
function openTab() {
  // A name of its own: a tab of before belongs to nobody, and may not be led elsewhere.
  const name = `classroom-${String(Date.now())}`;
  const tab = window.open("about:blank", name);
  if (tab === null) return false;
  tab.opener = null;
  form.target = name;
  form.removeAttribute("rel");
  form.submit();
  form.target = "_blank";
  entered();
  return true;
}
