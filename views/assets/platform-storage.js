// LTI platform storage (1EdTech postMessage Storage): the LMS's page keeps small values for us where the browser
// keeps no cookies. Values go to the origin of the registered authorization address and to no other; an answer
// counts only from there, to a question of ours.

/** How long an answer is waited for (ms), and how often the question is repeated: the frame may still be loading. */
const patience = 1000;
const repeatEvery = 200;

/**
 * Finds the LMS's storage: the frame the login named, else what its page says it is capable of.
 * @param {{ origin: string, target: string }} where target is "" when the login named none.
 * @returns null when there is no LMS page, or it keeps nothing.
 */
export async function findStorage({ origin, target }) {
  const page = window.opener || window.parent;
  if (page === window) return null;
  const frames = target === "" ? await capabilitiesOf(page) : { put: target, get: target };
  if (frames === null) return null;
  return {
    /** @returns {Promise<boolean>} whether the LMS says it keeps the value; null takes it away. */
    put: async (key, value) => {
      const answer = await askOneOf(placesOf(page, frames.put), origin, { subject: "lti.put_data", key, value });
      return isGood(answer) && agrees(answer.key, key) && agrees(answer.value, value);
    },
    /** @returns {Promise<string | null>} */
    get: async (key, within = patience) => {
      const answer = await askOneOf(placesOf(page, frames.get), origin, { subject: "lti.get_data", key }, within);
      return isGood(answer) && agrees(answer.key, key) && typeof answer.value === "string" ? answer.value : null;
    },
    /** Takes values away without waiting whether it worked. */
    forget: (keys) => {
      const [place] = placesOf(page, frames.put);
      for (const key of keys) send(place, { subject: "lti.put_data", key, value: null, message_id: newId() }, origin);
    },
  };
}

/** What one launch keeps: the two values of the specification, and the one that names this browser. */
export function keysOf(state, nonce) {
  return { state: `lti_state_${state}`, nonce: `lti_nonce_${nonce}`, browser: `lti_browser_${state}` };
}

/** Asks the page, whoever it is, which frame keeps values. The question holds no secret, so any origin may hear it. */
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

/** The named frame of the LMS page, when there is one, and the page itself. */
function placesOf(page, name) {
  if (name === "_parent") return [page];
  try {
    const frame = page.frames[name];
    return typeof frame?.postMessage === "function" ? [frame, page] : [page];
  } catch {
    return [page]; // another site's window has no frame of this name
  }
}

/** The first answer; a place that stays silent gives way to the next. */
async function askOneOf(places, origin, question, within = patience) {
  for (const place of places) {
    const answer = await ask(place, origin, question, (event) => event.origin === origin, within);
    if (answer !== null) return answer;
  }
  return null;
}

/** @returns the answer, or null when none came in time. */
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
    // a window that is gone stays silent
  }
}

/** Errors come as an object, as text, or as anything else: whatever stands there is one. */
function isGood(answer) {
  return answer !== null && (answer.error === undefined || answer.error === null);
}

/** Not every LMS repeats what it was told; one that repeats something else has not kept it. */
function agrees(said, ours) {
  return said === undefined || said === ours;
}

/** Unguessable; `crypto.randomUUID` is missing on plain http. */
function newId() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("-");
}
