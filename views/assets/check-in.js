// Keeps the code and the count on the room's screen up to date. Without this file, "Refresh" does it.
const screen = document.getElementById("screen");
const token = document.querySelector('input[name="session"]')?.value ?? "";
const address = `/c/${token.split(".")[0]}/check-in/screen?event=${encodeURIComponent(screen.dataset.event)}`;
const full = document.getElementById("full");
full.hidden = !document.fullscreenEnabled;
full.addEventListener("click", () => screen.requestFullscreen());
const countEvery = 5_000;
let left = Number(screen.dataset.left);
let failures = 0;

const soon = () => {
  // A little after the code expires, so that the answer has the next code.
  setTimeout(look, failures === 0 ? Math.min(left + 100, countEvery) : 2_000);
};
const look = async () => {
  try {
    const answer = await fetch(address, {
      headers: { Accept: "text/html", Authorization: `Bearer ${token}` },
      credentials: "omit",
    });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.getElementById("screen");
    if (now === null) {
      document.querySelector("#refresh a, #refresh button").click(); // the page says why
      return;
    }
    failures = 0;
    left = Number(now.dataset.left);
    for (const id of ["code-now", "code-qr", "code-count"]) {
      const fresh = page.getElementById(id);
      const shown = document.getElementById(id);
      if (fresh.innerHTML !== shown.innerHTML) shown.replaceChildren(...fresh.childNodes);
    }
  } catch {
    failures += 1;
    if (failures > 30) return; // "Refresh" still works
  }
  soon();
};
soon();
