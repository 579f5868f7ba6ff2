// Phones and tablets open the classroom in place of the page. Their requests say what they are, all but those that call themselves a
// computer: iPadOS says Macintosh, and Android's "Desktop site" says Linux. A computer of these names has no touch screen, or not as its
// first pointer. Forms with a field "device" say it for them.
{
  // A sandboxed frame without an origin of its own throws at cookies and at addresses of the tab's history. No page needs them to work.
  if (origin === "null") {
    Object.defineProperty(document, "cookie", { get: () => "", set: () => {} });
    history.replaceState = () => {};
  }
  const agent = navigator.userAgent;
  const isTouched = navigator.maxTouchPoints > 1;
  const isFinger = /X11; Linux/.test(agent) && matchMedia("(pointer: coarse)").matches;
  const isTablet = isTouched && (agent.includes("Macintosh") || isFinger);
  if (isTablet) {
    document.documentElement.classList.add("tablet");
    const tell = () => {
      for (const field of document.querySelectorAll('input[name="device"]')) field.value = "tablet";
    };
    // Before any deferred script or module sends a form.
    if (document.readyState === "loading") document.addEventListener("readystatechange", tell, { once: true });
    else tell();
  }
  // There a window may open in place of a frame, or not at all: what asks for one replaces the whole page, which a tap may.
  if (isTablet || /Mobi|Android|iPhone|iPad/i.test(agent)) {
    document.documentElement.classList.add("one-window");
    const widen = ({ target }) => {
      const asks = target.closest?.("form, a[href]");
      if (asks?.getAttribute("target") === "_blank" && asks.dataset.window === undefined) asks.setAttribute("target", "_top");
    };
    document.addEventListener("click", widen, { capture: true });
    document.addEventListener("submit", widen, { capture: true });
  }
  // Pages within an app often have nobody who takes a file, and nothing says so. Android names them, and on iOS only browsers say Safari.
  const isApple = isTablet ? agent.includes("Macintosh") : /iPhone|iPad/.test(agent);
  if (/; wv\)/.test(agent) || (isApple && !agent.includes("Safari/"))) {
    const explain = ({ target }) => {
      const asks = target.closest?.("form, a[href]");
      const address = asks?.getAttribute("action") ?? asks?.getAttribute("href") ?? "";
      const note = document.getElementById("no-files");
      if (note === null || !/(\.(csv|xlsx|ics|txt)|\/calendar-file)(\?|$)/.test(address)) return;
      note.hidden = false;
      note.scrollIntoView({ block: "nearest" });
    };
    document.addEventListener("click", explain);
    document.addEventListener("submit", explain);
  }
}
