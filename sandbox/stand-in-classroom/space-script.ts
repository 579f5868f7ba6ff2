import { type Html, scriptJson } from "./html.ts";

export type SpaceScriptFacts = {
  spaceId: string;
  userTabId: string;
  broadcast: boolean;
  startedCall: boolean;
  callRunning: boolean;
  userId: string;
  redirects: boolean;
};

/**
 * Refreshes the list of people, reports leaving and tab changes, and posts embed events to the parent on request. An embedded Space does
 * not know its parent's origin, so it posts to any; the events carry nothing secret.
 */
export function spaceScript(facts: SpaceScriptFacts): Html {
  return { markup: `const facts = ${scriptJson(facts).markup};\n${program}` };
}

const program = `
const base = location.pathname.replace(/\\/$/, "");
const post = (type, detail = {}) => {
  if (facts.broadcast && window.parent !== window) window.parent.postMessage({ type, detail }, "*");
};
const tell = (what) =>
  navigator.sendBeacon(base + "/tabs/" + facts.userTabId + "/" + what);

post("ready");
if (facts.startedCall) post("user_started_call");
if (facts.callRunning) post("user_joined_call");

const detailOf = ({ id, name, profileImage, fullName }) => ({ id, name, profileImage, fullName });
let known = new Map();
let left = false;
async function refresh() {
  const answer = await fetch(base + "/people.json?tab=" + facts.userTabId);
  if (!answer.ok || left) return;
  const { people, call, here, redirects } = await answer.json();
  facts.redirects = redirects;
  const now = new Map(people.map((person) => [person.id, person]));
  for (const [id, person] of now) if (!known.has(id)) post("participant_join", detailOf(person));
  for (const [id, person] of known) if (!now.has(id)) post("participant_leave", detailOf(person));
  if (now.size !== known.size) post("participantupdate", { count: now.size });
  known = now;
  document.getElementById("people").replaceChildren(
    ...people.map((person) => {
      const item = document.createElement("li");
      item.textContent = person.fullName + " (" + person.role + ")";
      return item;
    }),
  );
  if (facts.callRunning && !call) {
    facts.callRunning = false;
    document.getElementById("call").textContent = "The call has ended.";
    post("call_ended");
  }
  if (!here) {
    clearInterval(timer);
    left = true;
    document.getElementById("call").textContent = "The session has ended.";
    goOn();
  }
}
// The end-of-session redirect: within this frame when there is one.
function goOn() {
  if (facts.redirects) location.assign(base + "/end?user=" + encodeURIComponent(facts.userId));
}
let timer;
await refresh();
timer = setInterval(() => refresh().catch(() => undefined), 2000);

function leave() {
  if (left) return;
  left = true;
  clearInterval(timer);
  tell("leave");
}
document.getElementById("leave").addEventListener("click", () => {
  post("user_left_call");
  leave();
  document.getElementById("call").textContent = "You have left the Space.";
  document.getElementById("people").replaceChildren();
  goOn();
});
addEventListener("pagehide", leave);
document.addEventListener("visibilitychange", () => {
  if (left) return;
  const visible = document.visibilityState === "visible";
  post("page_visibility_change", { visible });
  tell(visible ? "show" : "hide");
});
addEventListener("offline", () => post("connection_status_change", { status: "Unstable" }));
addEventListener("online", () => post("connection_status_change", { status: "Stable" }));
document.getElementById("embed-events")?.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) post(button.dataset.type, JSON.parse(button.dataset.detail));
});
`;
