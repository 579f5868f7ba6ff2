// Pages about sessions: adds the reader's local time if it differs, suggests the time zone, and updates the progress of scheduling.
// Everything works without this file, too.
import { cityOf, nameHere, timesIn, zoneHere } from "./times.js";

const here = zoneHere();
const own = timesIn(document.documentElement.lang, here);

for (const list of document.querySelectorAll("[data-zone]")) {
  const there = timesIn(document.documentElement.lang, list.dataset.zone);
  for (const time of list.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    if (there.text(at) === own.text(at)) continue;
    const ends = time.dataset.ends;
    // People go by their own clock to come in time.
    if (new Date(ends ?? time.dateTime) < Date.now()) continue;
    const end = ends === undefined ? null : new Date(ends);
    const isSameDay = there.date(at) === own.date(at) && (end === null || own.date(at) === own.date(end));
    const note = document.createElement("span");
    note.className = "quiet own-time";
    note.textContent = list.dataset.own
      .replace("[zone]", cityOf(here))
      .replace("[time]", isSameDay ? own.hours(at, end) : own.span(at, end));
    time.after(note);
  }
}

const zone = document.getElementById("zone");
if (zone?.dataset.suggests !== undefined && zone.value === "") {
  const found = [...zone.options].find(({ value }) => value === here || (value !== "" && nameHere(value) === here));
  if (found !== undefined) {
    zone.value = found.value;
    document.getElementById("zone-suggested").textContent = zone.dataset.suggests;
  }
}

// Keeps the end of a session in step with its minutes, and the weekday with the first date.
const ends = document.getElementById("ends");
if (ends !== null) {
  const [time, minutes, date] = ["time", "minutes", "date"].map((id) => document.getElementById(id));
  const minutesOf = (clock) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
  const showEnd = () => {
    const end = minutesOf(time.value) + Number(minutes.value);
    if (time.value === "" || !(end >= 0)) return;
    ends.value = [Math.floor(end / 60) % 24, end % 60].map((part) => String(part).padStart(2, "0")).join(":");
  };
  for (const field of [time, minutes]) field.addEventListener("input", showEnd);
  ends.addEventListener("input", () => {
    if (ends.value === "" || time.value === "") return;
    minutes.value = (minutesOf(ends.value) - minutesOf(time.value) + 1_439) % 1_440 + 1;
  });
  document.getElementById("ends-field").hidden = false;
  const names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
  const boxOf = (day) => document.getElementById(`day-${names[new Date(`${day}T12:00Z`).getUTCDay()]}`);
  let before = date.value;
  date.addEventListener("change", () => {
    const ticked = [...document.querySelectorAll("[name=day]:checked")];
    if (ticked.length === 1 && ticked[0] === boxOf(before) && date.value !== "") {
      ticked[0].checked = false;
      boxOf(date.value).checked = true;
    }
    before = date.value;
  });
}

const making = document.getElementById("making");
if (making !== null) {
  const text = document.getElementById("making-text");
  const bar = making.querySelector("progress");
  const all = Number(making.dataset.left);
  // Screen readers read each change of the text, so it changes less often than the bar.
  const saidEvery = 5_000;
  let saidAt = Date.now();
  let failures = 0;
  bar.max = all;
  bar.value = 0;
  bar.hidden = false;

  const look = async () => {
    try {
      const answer = await fetch("/course/sessions/progress", {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams({ session: making.elements.session.value }),
      });
      if (!answer.ok) throw new Error(String(answer.status));
      failures = 0;
      const now = await answer.json();
      bar.value = Math.max(0, all - now.toMake);
      if (now.toMake === 0 || Date.now() - saidAt > saidEvery) {
        saidAt = Date.now();
        text.textContent = now.text;
      }
      if (now.toMake === 0) {
        bar.remove();
        const button = making.querySelector("button");
        button.textContent = now.button;
        button.classList.add("primary");
        return;
      }
    } catch {
      failures += 1;
      if (failures > 20) return; // the button still works
    }
    setTimeout(look, failures === 0 ? 700 : 3_000);
  };
  setTimeout(look, 500);
}
