// Tells the LMS's page how high this frame's page is, so that nobody scrolls inside a small window. Canvas and LMSs that copied it
// understand lti.frameResize. Moodle doesn't, and gives its frame the window's height. A height isn't secret, but it goes only to the
// page around this frame if the browser names that.

const least = 320;
const most = 20_000;
const page = window.parent;
/** Firefox doesn't name the page around a frame. */
const origin = globalThis.location.ancestorOrigins?.[0] ?? "*";
let told = 0;

/** The body's height. The document's is never smaller than the frame, so it would never shrink. */
function tell() {
  const needed = Math.ceil(document.body.getBoundingClientRect().height);
  const height = Math.min(most, Math.max(least, needed));
  if (height === told) return;
  told = height;
  page.postMessage({ subject: "lti.frameResize", height }, origin);
}

/**
 * Lets Canvas scroll to the top of the next page (lti.scrollToTop), however far down the tall frame the reader was. Not for the first
 * page, since nobody has scrolled yet, and not if the page moves the focus itself.
 */
function beginAtTop() {
  // The address that was requested, although scripts may have changed it since.
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
