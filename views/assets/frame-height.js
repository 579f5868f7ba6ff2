// Tells the page around this frame how high this one is, so that nobody scrolls inside a small window. Canvas listens to
// lti.frameResize, and other LMSs that have taken it over; Moodle has no such message and gives its frame the window's
// height by itself. A height is no secret, but it goes to the page around this frame only, where the browser names it.

const least = 320;
const most = 20_000;
const page = window.parent;
/** Firefox names nobody. */
const origin = globalThis.location.ancestorOrigins?.[0] ?? "*";
let told = 0;

/** The body's own height: the document's is never smaller than the frame and so would never shrink. */
function tell() {
  const needed = Math.ceil(document.body.getBoundingClientRect().height);
  const height = Math.min(most, Math.max(least, needed));
  if (height === told) return;
  told = height;
  page.postMessage({ subject: "lti.frameResize", height }, origin);
}

/**
 * A page that follows another one begins at its top, however far down in its tall frame the one before was: Canvas's page scrolls
 * there (lti.scrollToTop). Not for the first page, whose place on the LMS's page nobody has chosen, nor where the page puts the
 * focus itself.
 */
function beginAtTop() {
  // Where the page was asked for, however its address has been changed since.
  const came = new URL(performance.getEntriesByType("navigation")[0]?.name ?? location.href);
  const first = came.pathname === "/lti/launch" || came.searchParams.has("launched");
  const focused = document.querySelector('[aria-invalid="true"], [data-focus]') !== null;
  if (!first && !focused) page.postMessage({ subject: "lti.scrollToTop" }, origin);
}

if (page !== window) {
  new ResizeObserver(tell).observe(document.body);
  tell();
  beginAtTop();
}
