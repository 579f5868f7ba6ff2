// Waits for a closed classroom: shows the opening time in the person's language and zone with a countdown, and enters when it opens.
// Without this file, the button does that.
import { cityOf, timesIn, zoneHere } from "./times.js";

const closed = document.getElementById("closed");
const time = document.getElementById("opens-at");
const countdown = document.getElementById("countdown");
// Only differences by this computer's clock count: it may be wrong by minutes.
const opensAt = Date.now() + Number(closed.dataset.wait);
const moves = closed.dataset.moves === "yes";

const at = new Date(time.dateTime);
const soon = Number(closed.dataset.wait) < 20 * 3_600_000 && at.toDateString() === new Date().toDateString();
const times = timesIn(document.documentElement.lang, zoneHere());
time.title = time.textContent;
time.textContent = `${soon ? times.clock(at) : times.text(at)} (${cityOf(zoneHere())})`;

// "Opens at 12:13 (Paris)"; but "Opens: Tue 24 Nov 2026, 12:13 (Paris)".
if (soon) {
  const opens = document.getElementById("opens");
  opens.textContent = opens.dataset.today;
}

const left = () => Math.max(0, Math.ceil((opensAt - Date.now()) / 1_000));
const show = (seconds) => {
  const parts = [
    ["days", Math.floor(seconds / 86_400)],
    ["hours", Math.floor(seconds / 3_600) % 24],
    ["minutes", Math.floor(seconds / 60) % 60],
    ["seconds", seconds % 60],
  ];
  const first = Math.max(0, parts.findIndex(([, value]) => value > 0));
  // Two units are enough: "2 h 5 min", "4 min 30 s".
  const shown = parts.slice(seconds === 0 ? 3 : first, (seconds === 0 ? 3 : first) + 2);
  countdown.textContent = shown.map(([unit, value]) => `${value} ${closed.dataset[unit]}`).join(" ");
};
const open = () => {
  document.getElementById("now").textContent = closed.dataset.now;
  document.getElementById("left").hidden = true;
  const button = document.querySelector("#look button");
  button.textContent = closed.dataset.enter;
  button.classList.add("primary");
  if (!moves) return;
  // Spreads a waiting class, so that it doesn't ask within one millisecond.
  setTimeout(() => document.getElementById("look").requestSubmit(), 300 + Math.random() * 1_500);
};
const tick = () => {
  const seconds = left();
  show(seconds);
  if (seconds === 0) open();
  else setTimeout(tick, Math.min(1_000, opensAt - Date.now() + 20));
};
document.getElementById("left").hidden = false;
tick();
