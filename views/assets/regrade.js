// Updates the progress of computing and sending grades while the page is open. Without this file, "Refresh" does it.
const regrade = document.getElementById("regrade");
const again = document.getElementById("refresh");
if (regrade !== null && again !== null) {
  const text = document.getElementById("regrade-text");
  const bar = regrade.querySelector("progress");
  // Screen readers read each change of the text, so it changes less often than the bar.
  const saidEvery = 5_000;
  let saidAt = Date.now();
  let failures = 0;

  const show = (now) => {
    if (now.progress === null) bar.removeAttribute("value");
    else {
      bar.max = now.progress.max;
      bar.value = now.progress.value;
    }
    if (!now.busy || Date.now() - saidAt > saidEvery) {
      saidAt = Date.now();
      text.textContent = now.text;
    }
  };
  const look = async () => {
    try {
      const answer = await fetch("/course/grading/progress", {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams({ session: again.elements.session.value }),
      });
      if (!answer.ok) throw new Error(String(answer.status));
      failures = 0;
      const now = await answer.json();
      show(now);
      if (!now.busy) {
        bar.remove();
        again.remove();
        return;
      }
    } catch {
      failures += 1;
      if (failures > 20) return; // the button still works
    }
    setTimeout(look, failures === 0 ? 1_000 : 3_000);
  };
  setTimeout(look, 500);
}
