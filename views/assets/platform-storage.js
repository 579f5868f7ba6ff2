// LTI platform storage (1EdTech postMessage Storage): the LMS's page stores small values for us if the browser keeps
// no cookies. We send values only to the origin of the registered authorization address, and accept only its answers
// to our questions.

/** How long we wait for an answer (ms), and how often we ask again: the frame may still be loading. */
const patience = 1000;
const repeatEvery = 200;

/**
 * Finds the LMS's storage: in the frame that the login named, or by the capabilities of the LMS's page.
 * @param {{ origin: string, target: string }} where target is "" when the login named none.
 * @returns null without an LMS page, or if it has no storage
 */
export async function findStorage({ origin, target }) {
  const page = window.opener || window.parent;
  if (page === window) return null;
  const frames = target === "" ? await capabilitiesOf(page) : { put: target, get: target };
  if (frames === null) return null;
  return {
    /** Stores a value; null removes it. @returns {Promise<boolean>} whether the LMS confirms it */
    put: async (key, value) => {
      const answer = await askOneOf(placesOf(page, frames.put), origin, { subject: "lti.put_data", key, value });
      return isGood(answer) && agrees(answer.key, key) && agrees(answer.value, value);
    },
    /** @returns {Promise<string | null>} */
    get: async (key, within = patience) => {
      const answer = await askOneOf(placesOf(page, frames.get), origin, { subject: "lti.get_data", key }, within);
      return isGood(answer) && agrees(answer.key, key) && typeof answer.value === "string" ? answer.value : null;
    },
    /** Removes values without waiting for an answer. */
    forget: (keys) => {
      const [place] = placesOf(page, frames.put);
      for (const key of keys) send(place, { subject: "lti.put_data", key, value: null, message_id: newId() }, origin);
    },
  };
}

/** The keys of one launch's values: the specification's two, and one that names this browser. */
export function keysOf(state, nonce) {
  return { state: `lti_state_${state}`, nonce: `lti_nonce_${nonce}`, browser: `lti_browser_${state}` };
}

/** Asks the page which frame has the storage. The question holds no secret, so any origin may receive it. */
async function capabilitiesOf(page) {
  const answer = await ask(page, "*", { subject: "lti.capabilities" }, (event) => event.source === page);
  const supported = isGood(answer) && Array.isArray(answer.supported_messages) ? answer.supported_messages : [];
  const frameOf = (subject) => {
    const entry = supported.find((one) => one?.subject === subject);
    return entry === undefined ? null : String(entry.frame ?? "_parent");
  };
  const [put, get] = [frameOf("lti.put_data"), frameOf("lti.get_data")];
  return put === null || get === null ? null : { put, get };
}

/** The named frame of the LMS page, if it exists, and the page itself. */
function placesOf(page, name) {
  if (name === "_parent") return [page];
  try {
    const frame = page.frames[name];
    return typeof frame?.postMessage === "function" ? [frame, page] : [page];
  } catch {
    return [page]; // another site's window has no frame of this name
  }
}

/** Tries one place after another until one answers. */
async function askOneOf(places, origin, question, within = patience) {
  for (const place of places) {
    const answer = await ask(place, origin, question, (event) => event.origin === origin, within);
    if (answer !== null) return answer;
  }
  return null;
}

/** @returns the answer, or null if none came in time */
function ask(place, origin, question, isFromThere, within = patience) {
  const message = { ...question, message_id: newId() };
  return new Promise((resolve) => {
    const finish = (answer) => {
      removeEventListener("message", hear);
      clearInterval(repeating);
      clearTimeout(giveUp);
      resolve(answer);
    };
    const hear = (event) => {
      const said = event.data;
      if (typeof said !== "object" || said === null || !isFromThere(event)) return;
      if (said.message_id === message.message_id && said.subject === `${question.subject}.response`) finish(said);
    };
    addEventListener("message", hear);
    const repeating = setInterval(() => send(place, message, origin), repeatEvery);
    const giveUp = setTimeout(() => finish(null), within);
    send(place, message, origin);
  });
}

function send(place, message, origin) {
  try {
    place.postMessage(message, origin);
  } catch {
    // A closed window never answers.
  }
}

/** An error may be an object, a text or anything else, so any value counts as one. */
function isGood(answer) {
  return answer !== null && (answer.error === undefined || answer.error === null);
}

/** Not every LMS repeats the value. If it repeats another one, it has not stored ours. */
function agrees(said, ours) {
  return said === undefined || said === ours;
}

/** An unguessable id. `crypto.randomUUID` is missing on plain http. */
function newId() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("-");
}
