// Updates the progress of computing and sending grades while the page is open. Without this file, "Refresh" does it.
const refresh = document.getElementById("refresh");
const shown = document.getElementById("grades-progress");
if (shown !== null && refresh?.dataset.busy !== undefined) {
  const text = document.getElementById("grades-progress-text");
  const bar = shown.querySelector("progress");
  // Screen readers read each change of the text, so it changes less often than the bar.
  const saidEvery = 5_000;
  let saidAt = Date.now();
  let failures = 0;

  const show = ({ progress, text: now }) => {
    if (progress === null) bar.removeAttribute("value");
    else {
      bar.max = progress.max;
      bar.value = progress.value;
    }
    if (Date.now() - saidAt > saidEvery) {
      saidAt = Date.now();
      text.textContent = now;
    }
  };
  const look = async () => {
    try {
      const answer = await fetch("/course/grades/progress", {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams({ session: refresh.elements.session.value }),
      });
      if (!answer.ok) throw new Error(String(answer.status));
      failures = 0;
      const now = await answer.json();
      if (now === null || !now.busy) {
        bar.remove();
        // Doesn't reload the page, so text typed into the search stays.
        text.textContent = refresh.dataset.busy;
        refresh.querySelector("button").classList.add("primary");
        return;
      }
      show(now);
    } catch {
      failures += 1;
      if (failures > 20) return; // the button still works
    }
    setTimeout(look, failures === 0 ? 1_000 : 3_000);
  };
  setTimeout(look, 500);
}
