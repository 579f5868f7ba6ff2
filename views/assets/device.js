// Phones and tablets open the classroom in place of the page. Their requests tell the server, except from those that pose as a computer:
// iPadOS says Macintosh, and Android's "Desktop site" says Linux. Real computers of these names have no touch screen, or another primary
// pointer. For the others, forms fill in their field "device".
{
  // In a sandboxed frame with an opaque origin, cookies and changes of the history's addresses throw. Pages work without them.
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
  // Here a new window may replace the frame, or not open at all. So forms and links for one replace the whole page, which a tap may do.
  if (isTablet || /Mobi|Android|iPhone|iPad/i.test(agent)) {
    document.documentElement.classList.add("one-window");
    const widen = ({ target }) => {
      const asks = target.closest?.("form, a[href]");
      if (asks?.getAttribute("target") === "_blank" && asks.dataset.window === undefined) asks.setAttribute("target", "_top");
    };
    document.addEventListener("click", widen, { capture: true });
    document.addEventListener("submit", widen, { capture: true });
  }
  // Web views in apps often ignore a download silently. Android names them, and on iOS only browsers say Safari.
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
