// The launch came back without its cookie. This reads the values that the login put into the LMS's storage, compares them,
// removes them and posts the launch again with them. The server decides whether it is this launch's browser.
import { findStorage, keysOf } from "./platform-storage.js";

const launch = document.getElementById("launch");
const { origin, target, state, nonce, again } = launch.dataset;

/** @returns the browser's value, or null if the LMS has none for this launch */
async function recall() {
  const storage = await findStorage({ origin, target });
  if (storage === null) return null;
  const keys = keysOf(state, nonce);
  const [keptState, keptNonce, browser] = await Promise.all([
    storage.get(keys.state),
    storage.get(keys.nonce),
    storage.get(keys.browser),
  ]);
  if (keptState !== state || keptNonce !== nonce) return null;
  storage.forget(Object.values(keys));
  return browser;
}

function giveUp() {
  document.getElementById("opening").remove();
  const stuck = document.getElementById("stuck");
  stuck.hidden = false;
  document.title = stuck.querySelector("h1").textContent;
}

const browser = await recall();
if (browser !== null) {
  launch.elements.browser.value = browser;
  launch.submit();
} else if (again === "yes") {
  // A post from our own page has the cookie that the LMS's post couldn't have (SameSite=Lax, over plain http).
  launch.submit();
} else {
  giveUp();
}
