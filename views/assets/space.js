// The page around a Space: receives the Space's messages, shows what is useful, and leads on when the call is over.
import { afterEvent, atFirst } from "./embed-event.js";
import { askForRoom } from "./frame-room.js";
import { missingRights } from "./frame-rights.js";

const page = document.getElementById("space");
const origins = page.dataset.origins.split(" ");
const frame = page.querySelector("iframe");
const ways = { again: document.getElementById("again"), tab: document.getElementById("tab"), ended: document.getElementById("ended") };
const said = document.getElementById("said");
const notices = [...page.querySelectorAll("[data-notice]")];
const signs = Object.fromEntries([...page.querySelectorAll("[data-sign]")].map((sign) => [sign.dataset.sign, sign]));

/** How long the Space may take to get ready, how long a raised hand and good news show, and how long we wait at the end (ms). */
const readyWithin = 20_000;
const handShows = 5_000;
const steadyShows = 5_000;
const leavesAfter = 5;

// A reload asks for a new login with these values. The address itself has none.
try {
  history.replaceState({ session: ways.again.elements.session.value }, "", page.dataset.address);
} catch {
  // A frame with an opaque origin keeps its address. Reloading it leads to the link in the course.
}

// Notices.
const wanted = new Set();
const put = new Set();

/** Shows or hides a notice. One that somebody dismissed returns only after its cause was gone. */
function notice(name, holds) {
  if (wanted.has(name) === holds) return;
  if (holds) wanted.add(name);
  else wanted.delete(name);
  put.delete(name);
  showNotices();
  if (holds) say(notices.find((one) => one.dataset.notice === name)?.querySelector("p").textContent);
}

function showNotices() {
  for (const one of notices) one.hidden = !wanted.has(one.dataset.notice) || put.has(one.dataset.notice);
}

for (const one of notices) {
  one.querySelector("[data-hide]")?.addEventListener("click", () => {
    put.add(one.dataset.notice);
    showNotices();
    frame.focus();
  });
}

/** Reads a text out to screen reader users; only for news worth an interruption. */
function say(text) {
  if (text) said.textContent = text;
}

// The Space's messages.
let state = atFirst;
let handTimer = 0;
let steadyTimer = 0;

function hear({ data, origin, source }) {
  if (frame.contentWindow === null || source !== frame.contentWindow || !origins.includes(origin)) return;
  const before = state;
  state = afterEvent(before, data);
  if (state !== before) show(before);
}

function show(before) {
  if (state.ready) opened();
  sign("people", state.count ?? state.present.length);
  signs.recording.hidden = !state.recording;
  if (state.recording !== before.recording) say(signs.recording.dataset[state.recording ? "started" : "stopped"]);
  if (state.hands !== before.hands) raiseHand();
  for (const device of ["microphone", "camera"]) {
    if (state[device] === before[device]) continue;
    if (before[device] !== null) notice(`${device} ${before[device]}`, false);
    if (state[device] !== null) notice(`${device} ${state[device]}`, true);
    else if (state.call === "in") say(page.dataset[`${device}Good`]);
  }
  notice("connection", state.connection === "unstable");
  notice("performance", state.performance === "unstable");
  if (state.connection === "stable" && before.connection === "unstable") steadyAgain();
  if (state.call !== before.call) callChanged();
}

function sign(name, number) {
  signs[name].hidden = number === 0;
  signs[name].querySelector("span").textContent = signs[name].dataset.text.replace("{}", String(number));
}

function raiseHand() {
  signs.hand.hidden = false;
  clearTimeout(handTimer);
  handTimer = setTimeout(() => (signs.hand.hidden = true), handShows);
}

function steadyAgain() {
  signs.steady.hidden = false;
  say(signs.steady.textContent);
  clearTimeout(steadyTimer);
  steadyTimer = setTimeout(() => (signs.steady.hidden = true), steadyShows);
}

// Opening.
function opened() {
  clearTimeout(silent);
  document.documentElement.classList.remove("loading");
  signs.opening.hidden = true;
  notice("silent", false);
}
const silent = setTimeout(() => {
  signs.opening.hidden = true;
  notice("silent", true);
}, readyWithin);
if (document.documentElement.classList.contains("tablet")) {
  opened();
  notice("tablet", true);
}
if (!isSecureContext) notice("insecure", true);

// The end of a call. A visit may continue without one (interface document, part 1). So people who left the call by choice are only
// offered the way out, and nobody who is at work in the Space is led on.
const end = document.getElementById("end");
const seconds = end.querySelector("[data-seconds]");
let left = 0;
let ending = 0;

function callChanged() {
  clearInterval(ending);
  end.hidden = state.call === "none" || state.call === "in";
  if (end.hidden) return;
  for (const words of end.querySelectorAll("[data-ending]")) words.hidden = words.dataset.ending !== state.call;
  left = leavesAfter;
  seconds.hidden = state.call === "left";
  if (!seconds.hidden) {
    showLeft();
    ending = setInterval(countDown, 1_000);
  }
  say(`${end.querySelector("[data-ending]:not([hidden])").textContent} ${seconds.hidden ? "" : seconds.textContent}`.trim());
}

/** Whether somebody is at work in the Space: the pointer or the keyboard focus is in it. */
function isInUse() {
  return frame.matches(":hover") || (document.activeElement === frame && document.hasFocus());
}

function showLeft() {
  const text = isInUse() ? seconds.dataset.waits : seconds.dataset.text.replace("{}", String(left));
  if (seconds.textContent !== text) seconds.textContent = text;
}

function countDown() {
  if (isInUse()) left = leavesAfter;
  // Doesn't hurry people who are about to choose or have left the tab.
  else if (!end.matches(":hover, :focus-within") && !document.hidden) left -= 1;
  showLeft();
  if (left > 0) return;
  clearInterval(ending);
  ways.ended.submit();
}

document.getElementById("stay").addEventListener("click", () => {
  clearInterval(ending);
  end.hidden = true;
  frame.focus();
});
ways.ended.addEventListener("submit", () => clearInterval(ending));

// The classroom's end-of-session redirect leads the Space's frame to our page after class, which needs the
// whole window.
frame.addEventListener("load", () => {
  try {
    const { pathname, search } = frame.contentWindow.location;
    if (!pathname.startsWith("/ended")) return;
    ways.ended.action = pathname + search;
    ways.ended.submit();
  } catch {
    // Another origin's page: the Space.
  }
});

// Full screen and the new tab.
const full = document.getElementById("full");
full.hidden = !document.fullscreenEnabled;
full.addEventListener("click", () => {
  if (document.fullscreenElement === null) document.documentElement.requestFullscreen().catch(() => (full.hidden = true));
  else void document.exitFullscreen();
});
document.addEventListener("fullscreenchange", () => {
  full.textContent = full.dataset[document.fullscreenElement === null ? "enter" : "leave"];
});

/** Empties this page, because the person is in the new tab and must not be in the Space twice. */
function goElsewhere() {
  clearTimeout(silent);
  clearInterval(ending);
  end.hidden = true;
  wanted.clear();
  showNotices();
  for (const one of Object.values(signs)) one.hidden = true;
  frame.remove();
  document.documentElement.classList.remove("loading");
  page.classList.add("elsewhere");
  const elsewhere = document.getElementById("elsewhere");
  elsewhere.hidden = false;
  say(elsewhere.querySelector("p").textContent);
  elsewhere.querySelector("button").focus();
}
ways.tab.addEventListener("submit", () => setTimeout(goElsewhere));

document.documentElement.classList.add("listening");
if (window.spaceSaid === undefined) addEventListener("message", hear);
const early = window.spaceSaid ?? [];
window.spaceSaid = { push: hear };
early.forEach(hear);
askForRoom();
missingRights(["display-capture"], origins).then((missing) => {
  const shares = typeof navigator.mediaDevices?.getDisplayMedia === "function";
  signs.unshared.hidden = !shares || missing.length === 0;
});
