// Updates the progress of reading the roster while the page is open. Without this file, "Refresh" does it.
const sync = document.getElementById("sync");
const refresh = document.getElementById("refresh");
if (sync !== null && refresh !== null) {
  const text = document.getElementById("sync-text");
  const bar = sync.querySelector("progress");
  // Screen readers read each change of the text, so it changes less often than the bar.
  const saidEvery = 5_000;
  let saidAt = Date.now();
  let phase = sync.dataset.phase;
  let failures = 0;

  const finish = (now) => {
    bar.remove();
    text.textContent = now.phase === "done" ? sync.dataset.finished : now.text;
    text.classList.toggle("problem", now.phase === "failed");
    refresh.querySelector("button").classList.add("primary");
  };
  const show = (now) => {
    if (now.progress === null) bar.removeAttribute("value");
    else {
      bar.max = now.progress.max;
      bar.value = now.progress.value;
    }
    if (now.phase !== phase || Date.now() - saidAt > saidEvery) {
      saidAt = Date.now();
      text.textContent = now.text;
    }
    phase = now.phase;
  };
  const look = async () => {
    try {
      const answer = await fetch("/course/people/progress", {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams({ session: refresh.elements.session.value }),
      });
      if (!answer.ok) throw new Error(String(answer.status));
      failures = 0;
      const now = await answer.json();
      if (now.phase !== "soon" && now.phase !== "reading") {
        finish(now);
        return;
      }
      show(now);
    } catch {
      failures += 1;
      if (failures > 20) return; // the button still works
    }
    setTimeout(look, failures === 0 ? 700 : 3_000);
  };
  setTimeout(look, 500);
}
