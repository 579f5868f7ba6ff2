// Before the browser goes to the LMS to prove who this is, this page makes sure that we can recognise it when it comes back: by the cookie
// that came with the page, or by values that the LMS stores. Otherwise it offers a new window while the LMS's single-use hint is valid.
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

/** Stores the three values in the LMS. @returns whether it confirms each */
async function putValues() {
  const storage = await findStorage({ origin, target });
  if (storage === null) return false;
  const list = await tidied(storage);
  const keys = keysOf(state, nonce);
  const put = [storage.put(keys.state, state), storage.put(keys.nonce, nonce), storage.put(keys.browser, browser)];
  void storage.put(listKey, JSON.stringify([...list, [Date.now(), state, nonce]]));
  return (await Promise.all(put)).every(Boolean);
}

/** The key under which the LMS stores which launches have values there, and since when. */
const listKey = "lti_kept";

/**
 * Removes values of launches that never came back for them, because their cookie worked or they were abandoned: Canvas
 * stores 4096 characters for a tool, about twelve launches. Some LMSs do not answer about a missing value, so we don't
 * wait long.
 * @returns {Promise<[number, string, string][]>} launches that may still be under way
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

/** For browsers that don't say where they show an answer (Sec-Fetch-Dest): this launch is at top level, whatever the LMS says. */
function sayWhere() {
  try {
    if (window.parent === window) document.cookie = `lti_top=1; Max-Age=60; Path=/lti/launch; ${cookie}`;
  } catch {
    // Without cookies, the LMS's word counts.
  }
}

async function keep() {
  sayWhere();
  const cookies = keepsCookies();
  if (cookies && target === "") return true;
  const put = putValues();
  if (!cookies) return put;
  // The cookie is enough. If the LMS answers quickly, it stores the values, too, in case the cookie gets lost.
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

/** How often we ask the server what was chosen in the other window, and how long while nobody is choosing (ms). */
const askEvery = 2_000;
const giveUpAfter = 60_000;
/** How long a dialog may be open (ms). */
const longestChoice = 3_600_000;
let waiting = false;

/**
 * Sends content that was chosen in the other window to the LMS, which expects it from the frame of its dialog. This page doesn't know
 * whether the window is for choosing, so it stops asking soon unless the server says so.
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

/** @returns {Promise<string | undefined>} "none", "choosing" or "ready"; undefined if the server didn't say */
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
