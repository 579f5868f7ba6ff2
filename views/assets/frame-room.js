// Asks the LMS's page for a frame as high as its window (Canvas: lti.fetchWindowSize and lti.frameResize; other
// LMSs know the second, Moodle neither). Nothing is secret in it, so any LMS may hear it; an answer only changes
// the height that is asked for, within bounds.

const least = 480;
const most = 2_000;
/** How long an answer about the window is waited for (ms). */
const patience = 1_000;

/** Asks once; without an LMS around the page nothing happens. */
export function askForRoom() {
  const page = window.parent;
  if (page === window) return;
  let asked = false;
  const ask = (height) => {
    if (asked) return;
    asked = true;
    removeEventListener("message", hear);
    const wanted = Math.round(Math.min(most, Math.max(least, height)));
    if (wanted > innerHeight) page.postMessage({ subject: "lti.frameResize", height: wanted }, "*");
  };
  const hear = ({ source, data }) => {
    if (source !== page || data?.subject !== "lti.fetchWindowSize.response") return;
    const roomOf = (value) => (Number.isFinite(value) && value > 0 ? value : 0);
    const height = roomOf(data.height) - roomOf(data.footer);
    const below = height - roomOf(data.offset?.top);
    // Where the frame begins far down its page, the window is filled by scrolling to it.
    ask(below >= least ? below : height);
  };
  addEventListener("message", hear);
  page.postMessage({ subject: "lti.fetchWindowSize" }, "*");
  setTimeout(() => ask(innerHeight < least ? 640 : 0), patience);
}
