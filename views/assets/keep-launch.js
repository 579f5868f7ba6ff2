// Before the LMS is asked who this is, this page makes sure that we can know the browser again when it comes back:
// by the cookie that came with the page, or by values kept in the LMS. Otherwise it offers a window of its own,
// while the LMS's single-use hint is still good.
import { findStorage, keysOf } from "./platform-storage.js";

const launch = document.getElementById("launch");
const { address, origin, target, state, nonce, browser, cookie } = launch.dataset;

/** Whether a cookie like ours, set here, can be read again. */
function keepsCookies() {
  const probe = `lti_probe_${state.slice(0, 16)}`;
  const write = (value, seconds) => {
    document.cookie = `${probe}=${value}; Max-Age=${seconds}; Path=${location.pathname}; ${cookie}`;
  };
  try {
    write("1", 60);
    const kept = document.cookie.split("; ").includes(`${probe}=1`);
    write("", 0);
    return kept;
  } catch {
    return false; // a sandboxed frame has no cookies at all
  }
}

/** Puts the three values; true when the LMS confirms each. */
async function putValues() {
  const storage = await findStorage({ origin, target });
  if (storage === null) return false;
  const list = await tidied(storage);
  const keys = keysOf(state, nonce);
  const put = [storage.put(keys.state, state), storage.put(keys.nonce, nonce), storage.put(keys.browser, browser)];
  void storage.put(listKey, JSON.stringify([...list, [Date.now(), state, nonce]]));
  return (await Promise.all(put)).every(Boolean);
}

/** Names the launches that put values, with the time of each. */
const listKey = "lti_kept";

/**
 * Takes away what launches left that never asked for it, because their cookie worked or they were given up: Canvas
 * keeps 4096 characters for a tool, about twelve launches. Some LMSs do not answer for what they do not have, so
 * the answer is not waited for long.
 * @returns {Promise<[number, string, string][]>} the launches that may still be under way.
 */
async function tidied(storage) {
  const tenMinutes = 600_000;
  const isRecent = ([at]) => at > Date.now() - tenMinutes;
  try {
    const list = JSON.parse((await storage.get(listKey, 250)) ?? "[]");
    for (const [, oldState, oldNonce] of list.filter((one) => !isRecent(one))) {
      storage.forget(Object.values(keysOf(oldState, oldNonce)));
    }
    return list.filter(isRecent);
  } catch {
    return []; // not a list of ours
  }
}

/** For browsers that don't say where an answer is shown (Sec-Fetch-Dest): the launch is a page of its own, whatever the LMS says. */
function sayWhere() {
  try {
    if (window.parent === window) document.cookie = `lti_top=1; Max-Age=60; Path=/lti/launch; ${cookie}`;
  } catch {
    // No cookies: then the LMS's word counts.
  }
}

async function keep() {
  sayWhere();
  const cookies = keepsCookies();
  if (cookies && target === "") return true;
  const put = putValues();
  if (!cookies) return put;
  // The cookie is enough; an LMS that answers at once keeps the values as well, in case it gets lost.
  await Promise.race([put, new Promise((resolve) => setTimeout(resolve, 100))]);
  return true;
}

function offerWindow() {
  document.getElementById("opening").remove();
  const stuck = document.getElementById("stuck");
  stuck.hidden = false;
  document.title = stuck.querySelector("h1").textContent;
  const opened = document.getElementById("opened");
  stuck.querySelector("form.elsewhere").addEventListener("submit", () => {
    opened.textContent = opened.dataset.opened;
    document.getElementById("fetch").hidden = false;
    void waitForAnswer();
  });
}

/** How often the server is asked for what was chosen in the other window, and how long while nobody is choosing (ms). */
const askEvery = 2_000;
const giveUpAfter = 60_000;
/** As long as a dialog may be open (ms). */
const longestChoice = 3_600_000;
let waiting = false;

/**
 * Content that is chosen in the other window is sent to the LMS from here: the LMS expects it from the frame of its own dialog.
 * Whether the window is for choosing at all is not known here, so the asking ends soon unless the server says so.
 */
async function waitForAnswer() {
  if (waiting) return;
  waiting = true;
  const form = document.querySelector("form.fetch-answer");
  const began = Date.now();
  for (let state = "none"; state !== "ready"; ) {
    if (Date.now() - began > (state === "choosing" ? longestChoice : giveUpAfter)) {
      waiting = false;
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, askEvery));
    state = await stateOfAnswer(form) ?? state;
  }
  form.submit();
}

/** @returns {Promise<string | undefined>} "none", "choosing" or "ready"; undefined when the server did not say. */
async function stateOfAnswer(form) {
  try {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch("/choose/answer/state", { method: "POST", body });
    return answer.ok ? (await answer.json()).state : undefined;
  } catch {
    return undefined;
  }
}

if (await keep()) location.replace(address);
else offerWindow();
