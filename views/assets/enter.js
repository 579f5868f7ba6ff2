// The button into the classroom. It opens the classroom in this page if the course says so and the page can give it a camera; otherwise in
// a new tab. After a learner's launch it does so without a click if the browser allows that. It waits for a click in other browsers, and
// for instructors, who may only want to read grades.
import { missingRights } from "./frame-rights.js";

const form = document.getElementById("enter");
const note = document.getElementById("entered");
const button = form.querySelector("button");
/** A second tab would put the person into the classroom twice, or take over the first tab's place in line. */
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
    // For example in an app's web view, which opens no windows.
    form.target = "_top";
    form.submit();
  });
}

// Opens once in this page's session, not again after a reload or Back.
const key = "opened:" + form.elements.session.value.slice(-32);
const classMs = 60 * 60_000;
const openedBefore = remembered();
if (Date.now() - Number(openedBefore) < classMs) quieten();
if (openedBefore === null) remember("0");
// Other pages of the course lead here, too, when nobody asked to enter.
const address = new URL(location.href);
const launched = address.searchParams.has("launched") || !/^\/(c|course)\//.test(address.pathname);
if (address.searchParams.has("launched")) history.replaceState(history.state, "", address.pathname);
const navigation = performance.getEntriesByType("navigation")[0];
if ("itself" in form.dataset && launched && openedBefore === null && navigation?.type === "navigate") {
  if (here) form.submit();
  else if (!oneWindow) openTab();
}

/** When this session last opened a tab (ms); "0" if it never did, null on its first page or if the browser stores nothing. */
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
    // If Chromium blocks third-party cookies, a frame has no storage, but a partitioned cookie. Without both, each page counts as the first.
    const path = location.pathname.split("/", 3).join("/");
    document.cookie = `opened=${openedAt}; Path=${path}; Max-Age=${classMs / 1000}; Secure; SameSite=None; Partitioned`;
  }
}

/** Whether the classroom may open in this window. If only rights are missing, the page names them. */
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
  // A new name, because a tab of an earlier session isn't ours to redirect.
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
