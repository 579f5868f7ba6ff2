import { Router } from "express";
import qrcode from "qrcode-generator";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { cutTo } from "../../../kernel/text.ts";
import { sessionView } from "../../attendance/pages/session-view.ts";
import { saveOption } from "../../courses/change-settings.ts";
import { settingsPage, settingsPath } from "../../courses/pages/settings-page.ts";
import {
  listOpen,
  type MyCheckIns,
  myCheckIns,
  type OpenCheckInsApp,
  showCheckIn,
  startCheckIn,
  stopCheckIn,
  type CodeRefused,
  type Codes,
  takeCode,
} from "../check-in.ts";
import {
  openMinutes,
  readCode,
  readMinutes,
  scannedAt,
  spacedCode,
  usualMinutes,
} from "../rules/check-in.ts";
import { readerLocale } from "../../../web/browser-of.ts";
import type { MessageKey, Translate } from "../../../web/translate.ts";
import { coursePages } from "../../../web/course-pages.ts";
import type { CourseTimes } from "../../../web/course-times.ts";
import { courseNameOf, type PageOf, type PageWords } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { addressBelow } from "../../../web/page-address.ts";
import type { CourseFrame, Notice } from "../../../web/partials.ts";
import { keepFormsHere } from "../../../web/security-headers.ts";
import { sessionFolder, sessionHere } from "../../../web/session-address.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { mayIn } from "../../../web/visits.ts";

const screenFields = z.object({
  event: z.string().max(300).catch(""),
  minutes: z.string().max(10).catch(""),
});
const switchFields = z.object({ on: z.enum(["on", "off"]).nullable().catch(null) });

/**
 * The screen in the room, for instructors who may mark attendance. Also whether the course wants check-ins, and learners' messages, at all,
 * from the settings page.
 */
export function screenRoutes(app: App & { codes: Codes }): Router {
  const pages = coursePages(app);
  pages
    .page("/course/check-in/screen", {
      who: "corrections",
      fields: screenFields,
      address: ({ event }) => ({ event }),
      news: screenNews,
      view: defineView<ScreenPage>("course/check-in-screen"),
      model: screenModel,
    })
    .act("/course/check-in/start", {
      who: "corrections",
      run: async ({ visit: { course, session }, fields: { event, minutes: chosen }, after }) => {
        const minutes = readMinutes(chosen);
        if (minutes === null) throw refusal("bad-request", { status: 400 });
        const t = app.translatorOf(course.language);
        const of = { eventId: event, minutes, by: session.personId };
        const isNew = await startCheckIn(app, course, of, (number) => minutesText(t, number));
        return after(isNew ? "started" : "already");
      },
    })
    .act("/course/check-in/stop", {
      who: "corrections",
      run: async ({ visit, fields, after }) => {
        await stopCheckIn(app, visit.course, fields.event);
        return after("stopped");
      },
    });
  const settings = pages.elsewhere(settingsPath, settingsPage);
  const turning = (path: string, name: "checkIn" | "learnerWords", heading: MessageKey) => {
    pages.change(
      path,
      { who: "settings", fields: switchFields },
      async ({ visit: { course, session }, fields: { on } }) => {
        if (on === null) throw refusal("bad-request", { status: 400 });
        const t = app.translatorOf(course.language);
        await saveOption(app, course, session.personId, [name, on === "on"], (is) =>
          t("label.value", { label: t(heading), value: t(`checkIn.switch.${is ? "on" : "off"}`) }),
        );
        return settings.after({ scope: "course" }, { saved: true, space: null });
      },
    );
  };
  turning("/course/check-in/switch", "checkIn", "checkIn.heading");
  turning("/course/words/switch", "learnerWords", "institution.rules.learnerWords");
  return pages.router;
}

const screenNews = z.enum(["started", "already", "stopped"]);
type ScreenNews = z.infer<typeof screenNews>;

export type ScreenPage = PageOf<typeof screenModel>;

/** What people in the room see: the code, and how many have checked in. */
async function screenModel(
  app: App & { codes: Codes },
  { visit: { course, session }, fields, words }: PageContext<"corrections", { event: string }>,
  news: ScreenNews | null,
) {
  const { t, number } = words;
  const current = await showCheckIn(app, course, fields.event);
  const about = sessionView(words, current.session);
  const minutes = openMinutes.map((value) => ({
    value,
    label: minutesText(t, value),
    chosen: value === usualMinutes,
  }));
  return {
    title: t("checkIn.screen.title", { session: about.title, course: courseNameOf(t, course) }),
    notice: news === null ? null : screenNotice(t, news),
    about,
    /** Why check-in can't be started. Null if it can, or is open. */
    closed: closedText(words, current),
    maySwitch: current.state === "off" && mayIn(session, course, "settings"),
    minutes: current.state === "ready" ? minutes : null,
    open: openView(app, words, current),
    count: t("checkIn.screen.count", {
      number: number(current.checkedIn),
      expected: number(current.expected),
    }),
    late: t("checkIn.screen.late", { minutes: current.lateAfter }),
  };
}

type CurrentCheckIn = Awaited<ReturnType<typeof showCheckIn>>;

function screenNotice(t: Translate, news: ScreenNews): Notice {
  return { tone: news === "already" ? "warning" : "good", text: t(`checkIn.screen.news.${news}`) };
}

function minutesText(t: Translate, minutes: number): string {
  return t("checkIn.minutes", { minutes });
}

function closedText({ t, times }: PageWords, { state, from }: CurrentCheckIn): string | null {
  switch (state) {
    case "ready":
    case "open":
      return null;
    case "early":
      return t("checkIn.screen.early", { when: from === null ? "" : times.text(from) });
    default:
      return t(`checkIn.screen.${state}`);
  }
}

function openView(
  { publicUrl }: Pick<App, "publicUrl">,
  { t, times, now }: PageWords,
  { open }: CurrentCheckIn,
) {
  if (open === null) return null;
  const { id, code, closesAt, endsAt } = open;
  return {
    code: spacedCode(code),
    /** For screen readers, letter by letter. */
    spelled: Array.from(code).join(" "),
    qr: qrView(`${publicUrl}${scannedAt}/${id}?code=${code}`),
    until: t("checkIn.screen.until", { time: times.clock(closesAt) }),
    /** Time until the screen must show another code, or the end (ms). */
    leftMs: Math.max(0, Math.min(endsAt, closesAt) - now),
  };
}

/** White squares on each side, as the standard requires. */
const marginSize = 4;

/**
 * A QR code as one path of an SVG whose squares are one unit wide. `size` includes the white margin that scanners need.
 * @param text Plain ASCII, such as an address.
 */
export function qrView(text: string): { size: number; path: string } {
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const squares: string[] = [];
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (!code.isDark(row, column)) continue;
      squares.push(`M${String(column + marginSize)} ${String(row + marginSize)}h1v1h-1z`);
    }
  }
  return { size: count + 2 * marginSize, path: squares.join("") };
}

/** Where a learner types the code from the screen in the room, only for themselves. */
export function myCheckInRoutes(app: App & { codes: Codes }): Router {
  const pages = coursePages(app);
  pages
    .page("/course/check-in", {
      who: "member",
      fields: z.object({ code: z.string().max(100).catch("") }),
      news: myCheckInNews,
      view: defineView<MyCheckInPage>("course/check-in"),
      model: myCheckInModel,
    })
    .act("/course/check-in/take", {
      who: "member",
      run: async ({ visit: { course, member }, fields: { code }, after, again }) => {
        const taken = await takeCode(app, course, member, code);
        if (taken.kind === "refused") return again(taken.why, 422);
        return after({ at: taken.at, status: taken.isLate ? "LATE" : "PRESENT", again: taken.again });
      },
    });
  return pages.router;
}

const myCheckInNews = z.object({ at: z.number(), status: z.enum(["PRESENT", "LATE"]), again: z.boolean() });
type MyCheckInNews = z.infer<typeof myCheckInNews>;

export type MyCheckInPage = PageOf<typeof myCheckInModel>;

/** @param message What was accepted, or why it wasn't. */
async function myCheckInModel(
  app: OpenCheckInsApp & Pick<App, "attendance">,
  { visit: { course, member }, fields: { code }, words }: PageContext<"member", { code: string }>,
  message: MyCheckInNews | CodeRefused | null,
) {
  const { t, times } = words;
  const read = readCode(code);
  return {
    title: t("checkIn.mine.title", { course: courseNameOf(t, course) }),
    notice: message === null || typeof message === "string" ? null : takenNotice(words, message),
    ...checkInField(t, times, await myCheckIns(app, course, member)),
    typed: read === null ? cutTo(code, 20) : spacedCode(read),
    problem: typeof message === "string" ? t(`checkIn.mine.problems.${message}`) : null,
  };
}

function takenNotice({ t, times }: PageWords, { at, status, again }: MyCheckInNews): Notice {
  const first = status === "LATE" ? "late" : "taken";
  const key = again ? "again" : first;
  return { tone: "good", text: t(`checkIn.mine.${key}`, { time: times.clock(at) }) };
}

/** The field for a code, with its form, on its own page and on a learner's home. */
export type CheckInField = CourseFrame & {
  /** Sessions that ask for a code. */
  asked: string[];
  /** What they checked in to, as sentences. */
  done: string[];
  typed: string;
  problem: string | null;
};

export function checkInField(
  t: Translate,
  times: CourseTimes,
  { open, done }: MyCheckIns,
): Pick<CheckInField, "asked" | "done"> {
  const titleOf = (title: string | null) => title ?? t("common.untitledSession");
  return {
    asked: open.map(({ title }) => titleOf(title)),
    done: done.map(({ session: { title }, at }) =>
      t("checkIn.mine.done", { session: titleOf(title), time: times.clock(at) }),
    ),
  };
}

export type ScannedPage = {
  t: Translate;
  title: string;
  /** Null if check-in is over, or the address has no valid code. */
  code: string | null;
  /** The course's address in the LMS. */
  courseUrl: string | null;
};

const scannedView = defineView<ScannedPage>("course/check-in-scanned");

const scannedFields = z.object({ id: z.string().max(100).catch(""), code: z.string().max(100).catch("") });

type ScannedApp = OpenCheckInsApp & Pick<App, "courses" | "translatorOf" | "sessions" | "sessionCookie">;

/**
 * GET /check-in/<id>: what a phone that scans the code opens. It checks nobody in. It leads to the learner's own page with the code in its
 * field, if this browser has just opened the course, otherwise to the course in the LMS, whose pages ask for the code.
 */
export function scannedRoutes(app: ScannedApp): Router {
  const router = Router();
  router.get(`${scannedAt}/:id`, async (request, response) => {
    const { id, code } = scannedFields.parse({ ...request.query, id: request.params.id });
    const t = app.translatorOf(readerLocale(request));
    const course = await openCourse(app, id);
    const read = course === null ? null : readCode(code);
    const own = course === null || read === null ? null : await sessionHere(app, request, course.id);
    if (own !== null && read !== null) {
      response.redirect(303, sessionFolder(own) + addressBelow("/check-in", { code: read }));
      return;
    }
    keepFormsHere(response);
    response.status(read === null ? 404 : 200);
    renderView(response, scannedView, {
      t,
      title: t("checkIn.heading"),
      code: read === null ? null : spacedCode(read),
      courseUrl: course?.courseUrl ?? null,
    });
  });
  return router;
}

/** The course of an open check-in, or null for any other id. */
async function openCourse(app: ScannedApp, id: string) {
  const known = await app.checkIns.find(id);
  const course = known === null ? null : await app.courses.find(known.courseId);
  if (course === null) return null;
  return (await listOpen(app, course)).some(({ checkIn }) => checkIn.id === id) ? course : null;
}
