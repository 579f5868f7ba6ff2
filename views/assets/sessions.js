// Pages about sessions: the reader's own time where it differs, a suggestion for the zone, and the progress of making them.
// Without this file all of it can be done, too.
const zoneHere = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What the clocks of a zone say at a moment, in one text that can be compared. */
const clockIn = (timeZone, at) =>
  new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "short", timeStyle: "short" }).format(at);

for (const list of document.querySelectorAll("[data-zone]")) {
  const { zone, own } = list.dataset;
  for (const time of list.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    if (clockIn(zone, at) === clockIn(zoneHere, at)) continue;
    const format = new Intl.DateTimeFormat(document.documentElement.lang, {
      weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit",
    });
    const ends = time.dataset.ends;
    const text = ends === undefined ? format.format(at) : format.formatRange(at, new Date(ends));
    const note = document.createElement("span");
    note.className = "quiet own-time";
    note.textContent = own.replace("[zone]", zoneHere).replace("[time]", text);
    time.after(note);
  }
}

const zone = document.getElementById("zone");
if (zone?.dataset.suggests !== undefined && zone.value === "") {
  if ([...zone.options].some((option) => option.value === zoneHere)) {
    zone.value = zoneHere;
    document.getElementById("zone-suggested").textContent = zone.dataset.suggests;
  }
}

const making = document.getElementById("making");
if (making !== null) {
  const text = document.getElementById("making-text");
  const bar = making.querySelector("progress");
  const all = Number(making.dataset.left);
  // The text is read out when it changes; once in a while is enough, the bar moves all the time.
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
