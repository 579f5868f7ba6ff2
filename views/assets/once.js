// A second click while the first is under way sends nothing, so nobody enters twice. A later click works again.
{
  const pause = 3_000;
  for (const form of document.querySelectorAll("form[data-once]")) {
    let sentAt = -Infinity;
    form.addEventListener(
      "submit",
      (event) => {
        const now = performance.now();
        if (now - sentAt < pause) {
          event.preventDefault();
          event.stopImmediatePropagation();
        } else {
          sentAt = now;
        }
      },
      { capture: true },
    );
  }
}
