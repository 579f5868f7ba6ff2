import { type Response, Router } from "express";
import type { App } from "../../../app.ts";
import type { Entry } from "../../../domain/entry.ts";
import { type EntryApp, type EntryTarget, findTarget, findTargetToShow, targetOf } from "../entry-target.ts";
import { type Browser, readerLocale } from "../../../web/browser-of.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { Head } from "../../../web/partials.ts";
import type { Session } from "../../../web/session.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";

/** A page's form field "shown". "as-set": a launch, which doesn't ask, or a page that also shows paused accounts. */
export type EntryView = "as-set" | Entry["shown"];

/**
 * Finds where a session leads. Requests from inside a frame are always embedded: a Space there can't replace a page and would get no camera.
 * Phones and tablets get a tab (document part 1.2), for which the caller shows them its button if they are in a frame.
 * @param known What a launch has just written. Looked up by default.
 * @throws the errors of `findTarget`
 */
export async function entryTargetFor(
  app: EntryApp,
  session: Session,
  { mobile, maybeTablet, framed }: Browser,
  requested: EntryView,
  known?: Parameters<typeof targetOf>[0],
): Promise<EntryTarget> {
  const { courseId, personId, courseLinkId, role, locale } = session;
  const entry: Entry = { courseId, personId, courseLinkId, role, locale, mobile, shown: "tab" };
  const find = requested === "as-set" ? findTargetToShow : findTarget;
  const target = known === undefined ? await find(app, entry) : targetOf(known, entry);
  const embedded = (requested !== "tab" || framed) && embedsSpace(target);
  if (embedded) return { ...target, entry: { ...target.entry, shown: "embedded" } };
  // This launch meets no page of ours first, so a Mac may look like a tablet: better no recording on a Mac than a recording that a tablet can't make.
  const isInDoubt = requested === "as-set" && !framed && maybeTablet && target.settings.startLocalRecording;
  return isInDoubt ? { ...target, entry: { ...target.entry, mobile: true } } : target;
}

/** On mobile devices, frames are less reliable than redirects (document part 1.2). */
export function embedsSpace({ settings, entry }: Pick<EntryTarget, "settings" | "entry">): boolean {
  return settings.mode === "embedded" && !entry.mobile;
}

/** If the field is missing, the page only knows tabs. */
export function requestedView(body: unknown): EntryView {
  const asked = typeof body === "object" && body !== null && "shown" in body ? body.shown : null;
  return asked === "embedded" ? "embedded" : "tab";
}

/**
 * The document's part 4, "Embedding in an iframe". Chromium needs the last feature for a classroom in a private network: if the LMS grants it,
 * the browser asks the person.
 */
const features = [
  "camera",
  "microphone",
  "display-capture",
  "clipboard-read",
  "clipboard-write",
  "picture-in-picture",
  "autoplay",
  "fullscreen",
  "compute-pressure",
  "local-network-access",
];

export type SpacePage = Head & {
  courseName: string;
  session: string;
  url: string;
  origins: readonly string[];
  /** The address the page shows once the Space is open. */
  address: string;
  allow: string;
  showsCoursePage: boolean;
  /** All possible notices. The page's script shows those that apply. */
  notices: { name: string; text: string }[];
  endings: typeof callEndings;
};

const spacePage = defineView<SpacePage>("space/space");

function noticesOf(t: Translate): SpacePage["notices"] {
  return [
    ...(["insecure", "tablet", "silent", "connection", "performance"] as const).map((name) => ({
      name,
      text: t(`space.notices.${name}`),
    })),
    ...devices.flatMap((device) =>
      deviceProblems.map((problem) => ({
        name: `${device} ${problem}`,
        text: t(`space.notices.${device}.${problem}`),
      })),
    ),
  ];
}

/**
 * Leads into the Space by a redirect, or shows our page around it.
 * @param inside `url` is for this person's browser only. With `arrivedAt` instead of a session, the page can only let them enter.
 */
export async function showInside(
  app: Pick<App, "courses" | "sessions" | "spaceOriginsOf" | "translatorOf">,
  inside: { url: string; entry: Entry } & ({ session: Session } | { arrivedAt: number }),
  response: Response,
): Promise<void> {
  const { courseId, role, locale, shown } = inside.entry;
  const course = shown === "tab" ? null : await app.courses.find(courseId);
  if (course === null) {
    response.redirect(303, inside.url);
    return;
  }
  const t = app.translatorOf(locale);
  const courseName = courseNameOf(t, course);
  const { registrationId } = course;
  const session =
    "session" in inside
      ? inside.session
      : sessionToEnter({ ...inside.entry, registrationId }, inside.arrivedAt);
  const origins = app.spaceOriginsOf(course.environment);
  allowFrames(response, origins);
  renderView(response, spacePage, {
    t,
    title: t("common.courseTitle", { course: courseName }),
    courseName,
    url: inside.url,
    origins,
    address: spaceAddress,
    allow: features.map((feature) => `${feature} ${origins.join(" ")}`).join("; "),
    session: await app.sessions.issue(session),
    showsCoursePage: role === "instructor" && session.only !== "entry",
    notices: noticesOf(t),
    endings: callEndings,
  });
}

/** Makes a session that can only enter, like the ticket of a position. */
export function sessionToEnter(
  { registrationId, courseId, personId, courseLinkId, role, locale }: Entry & { registrationId: string },
  launchedAt: number,
): Session {
  const who = { registrationId, courseId, personId, courseLinkId, role, locale };
  return { ...who, staffRole: null, only: "entry", launchedAt };
}

/** Lets only this page hold frames: Spaces, and our page after class, to which the classroom redirects its frame. */
function allowFrames(response: Response, origins: readonly string[]): void {
  const policy = response.get("Content-Security-Policy");
  if (policy === undefined) throw new Error("there is no content security policy to add frames to");
  response.set("Content-Security-Policy", `${policy};frame-src 'self' ${origins.join(" ")}`);
}

const againPage = defineView<Head>("space/again");

/** The address that an embedded Space's page shows once the Space is open. */
export const spaceAddress = "/space";

/**
 * The page of an embedded Space, loaded again. Its script enters again with the session from the browser's history. Without a session, the
 * page says to open the link in the course.
 */
export function spaceRoutes(app: Pick<App, "translatorOf">): Router {
  const router = Router();
  router.get(spaceAddress, (request, response) => {
    const t = app.translatorOf(readerLocale(request));
    renderView(response, againPage, { t, title: t("space.again") });
  });
  return router;
}

// Document part 6.9. Only the browser gets these events. `views/assets/embed-event.js` says what each one changes.

const devices = ["microphone", "camera"] as const;

/** States of a device other than "Good" (document part 3). */
export const deviceProblems = [
  "PERMISSION_DENIED",
  "PERMISSION_DENIED_BY_SYSTEM",
  "NOT_FOUND",
  "NO_INPUT_DETECTED",
  "GET_USER_MEDIA_TIMEOUT",
  "DEFAULT_ERROR",
] as const;

/** How a call ended for this person. */
const callEndings = ["left", "ended-by-other", "ended-by-me"] as const;

/** What an embedded Space's events have said so far. Null means "nothing yet". */
export type SpaceState = {
  ready: boolean;
  /** "none": there was no call yet, or this person isn't in it. */
  call: "none" | "in" | (typeof callEndings)[number];
  /** The number of people as last reported. */
  count: number | null;
  /** Ids of people who joined and haven't left. Empty once a count was reported. */
  present: readonly string[];
  recording: boolean;
  connection: "stable" | "unstable";
  performance: "stable" | "unstable";
  /** Null: the device works, or wasn't mentioned. */
  microphone: (typeof deviceProblems)[number] | null;
  camera: (typeof deviceProblems)[number] | null;
  hands: number;
  microphoneOn: boolean | null;
  cameraOn: boolean | null;
  chatOpen: boolean;
  sharingScreen: boolean;
  pictureInPicture: boolean;
  visible: boolean;
};
