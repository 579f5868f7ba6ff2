import type { MessageKey } from "../../../web/message-key.ts";
import type { IconName } from "../../../web/page-parts.ts";
import type { CourseArea, GuideName } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";

/** Where a guide leads back to. */
export type GuideWay = { address: string; icon: IconName; text: string };

export type Guide = {
  name: GuideName;
  /** As the pages that it explains are read. */
  who: "anybody" | "settings" | "grades";
  /** The tab that it belongs to. */
  area: CourseArea;
  heading: (t: Translate) => string;
  lead: MessageKey;
  /** What its picture shows, for who does not see it. */
  picture: MessageKey;
  /** The pages that it explains, the first one first. */
  ways: (t: Translate) => readonly GuideWay[];
  /** @param seesGrades Whether the reader's role includes learners' attendance and grades. */
  steps: (t: Translate, seesGrades: boolean) => readonly string[];
};

const home: Guide = {
  ...{ name: "home", who: "settings", area: "home" },
  ...{ lead: "guide.home.lead", picture: "guide.home.picture" },
  heading: (t) => t("nav.home"),
  ways: (t) => [{ address: "/home", icon: "home", text: t("nav.home") }],
  steps: (t, seesGrades) => [
    t("guide.home.enter", { enter: t("enter.button") }),
    t("guide.home.attention", { attention: t("home.attention.heading") }),
    t("guide.home.plan", { plan: t("home.sessions.plan") }),
    ...(seesGrades ? [t("guide.home.grades")] : []),
  ],
};

const sessions: Guide = {
  ...{ name: "sessions", who: "settings", area: "sessions" },
  ...{ lead: "guide.sessions.lead", picture: "guide.sessions.picture" },
  heading: (t) => t("nav.sessions"),
  ways: (t) => [{ address: "/sessions", icon: "calendar", text: t("nav.sessions") }],
  steps: (t, seesGrades) => [
    t("guide.sessions.plan", { plan: t("sessions.plan.open") }),
    t("guide.sessions.repeat"),
    t("guide.sessions.preview", { preview: t("sessions.plan.preview") }),
    t("guide.sessions.change", { edit: t("sessions.edit") }),
    ...(seesGrades ? [t("guide.sessions.unplanned", { make: t("unplanned.acts.class") })] : []),
  ],
};

const attendance: Guide = {
  ...{ name: "attendance", who: "grades", area: "attendance" },
  ...{ lead: "guide.attendance.lead", picture: "guide.attendance.picture" },
  heading: (t) => t("nav.attendance"),
  ways: (t) => [
    { address: "/grid", icon: "attendance", text: t("nav.attendance") },
    { address: "/register", icon: "list", text: t("grid.toRegisters") },
  ],
  steps: (t) => [
    t("guide.attendance.read"),
    t("guide.attendance.tap"),
    t("guide.attendance.register", { everyone: t("register.everyoneElse") }),
    t("guide.attendance.checkIn", { open: t("checkIn.open") }),
    t("guide.attendance.history", { look: t("grid.brush.look") }),
  ],
};

const grades: Guide = {
  ...{ name: "grades", who: "grades", area: "grades" },
  ...{ lead: "guide.grades.lead", picture: "guide.grades.picture" },
  heading: (t) => t("nav.grades"),
  ways: (t) => [{ address: "/grades", icon: "grades", text: t("nav.grades") }],
  steps: (t) => [
    t("guide.grades.check"),
    t("guide.grades.decide"),
    t("guide.grades.again", { again: t("grades.again") }),
    t("guide.grades.history", { history: t("grades.history") }),
  ],
};

const grading: Guide = {
  ...{ name: "grading", who: "grades", area: "settings" },
  ...{ lead: "guide.grading.lead", picture: "guide.grading.picture" },
  heading: (t) => t("grading.heading"),
  ways: (t) => [{ address: "/grading", icon: "settings", text: t("grading.heading") }],
  steps: (t) => [
    t("guide.grading.credit"),
    t("guide.grading.kind"),
    t("guide.grading.options"),
    t("guide.grading.preview", { preview: t("grading.preview") }),
  ],
};

const recordings: Guide = {
  ...{ name: "recordings", who: "settings", area: "recordings" },
  ...{ lead: "guide.recordings.lead", picture: "guide.recordings.picture" },
  heading: (t) => t("nav.recordings"),
  ways: (t) => [{ address: "/recordings", icon: "play", text: t("nav.recordings") }],
  steps: (t) => [
    t("guide.recordings.wait", { refresh: t("recordings.look.again") }),
    t("guide.recordings.publish", { publish: t("recordings.publish") }),
    t("guide.recordings.edit"),
    t("guide.recordings.rule", { rule: t("recordings.rule.heading") }),
  ],
};

const people: Guide = {
  ...{ name: "people", who: "settings", area: "people" },
  ...{ lead: "guide.people.lead", picture: "guide.people.picture" },
  heading: (t) => t("nav.people"),
  ways: (t) => [{ address: "/people", icon: "people", text: t("nav.people") }],
  steps: (t, seesGrades) => [
    t("guide.people.update", { update: t("sections.roster.readNow") }),
    t("guide.people.find"),
    t("guide.people.sections"),
    ...(seesGrades ? [t("guide.people.open")] : []),
  ],
};

const settings: Guide = {
  ...{ name: "settings", who: "settings", area: "settings" },
  ...{ lead: "guide.settings.lead", picture: "guide.settings.picture" },
  heading: (t) => t("nav.settings"),
  ways: (t) => [{ address: "/settings", icon: "settings", text: t("nav.settings") }],
  steps: (t) => [
    t("guide.settings.where"),
    t("guide.settings.when"),
    t("guide.settings.more", { more: t("settings.more") }),
    t("guide.settings.save", { save: t("settings.save") }),
  ],
};

const learner: Guide = {
  ...{ name: "learner", who: "anybody", area: "home" },
  ...{ lead: "guide.learner.lead", picture: "guide.learner.picture" },
  heading: (t) => t("guide.learner.heading"),
  ways: (t) => [
    { address: "/home", icon: "home", text: t("nav.home") },
    { address: "/my-sessions", icon: "attendance", text: t("nav.mine") },
    { address: "/recordings", icon: "play", text: t("nav.recordings") },
  ],
  steps: (t) => [
    t("guide.learner.join", { join: t("enter.join") }),
    t("guide.learner.checkIn"),
    t("guide.learner.attendance", { mine: t("nav.mine") }),
    t("guide.learner.grade"),
    t("guide.learner.recordings", { recordings: t("nav.recordings") }),
  ],
};

/** In the order of the tabs. */
export const guides: readonly Guide[] = [
  ...[home, sessions, attendance, grades, grading, recordings, people, settings],
  learner,
];
