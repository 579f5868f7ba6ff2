// Asks the LMS's page for a frame as high as its window (Canvas: lti.fetchWindowSize and lti.frameResize; other
// LMSs know the second, Moodle neither). It holds no secret, so any LMS may receive it. An answer only changes
// the height that we ask for, within bounds.

const least = 480;
const most = 2_000;
/** How long we wait for an answer about the window (ms). */
const patience = 1_000;

/** Asks once. Does nothing if no LMS is around the page. */
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
    // The frame may begin far down the LMS's page: the reader scrolls, and it fills the window.
    ask(below >= least ? below : height);
  };
  addEventListener("message", hear);
  page.postMessage({ subject: "lti.fetchWindowSize" }, "*");
  setTimeout(() => ask(innerHeight < least ? 640 : 0), patience);
}
