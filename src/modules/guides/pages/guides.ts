import type { MessageKey } from "../../../web/english.ts";
import type { IconName } from "../../../web/page-parts.ts";
import type { CourseArea, GuideName } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";

/** A step's message, and the buttons and headings that it names. */
type Step = readonly [message: MessageKey, names?: Readonly<Record<string, MessageKey>>];

export type Guide = {
  name: GuideName;
  /** As the pages that it explains are read. */
  who: "anybody" | "settings" | "grades";
  /** The tab that it belongs to. */
  area: CourseArea;
  heading: MessageKey;
  /** The pages that it explains, the first one first. */
  ways: readonly (readonly [address: string, icon: IconName, text: MessageKey])[];
  steps: readonly Step[];
  /** The last step of readers whose role includes learners' attendance and grades. */
  gradesStep?: Step;
};

/** In the order of the tabs. */
export const guides: readonly Guide[] = [
  {
    ...{ name: "home", who: "settings", area: "home", heading: "nav.home" },
    ways: [["/home", "home", "nav.home"]],
    steps: [
      ["guide.home.enter", { enter: "enter.button" }],
      ["guide.home.attention", { attention: "home.attention.heading" }],
      ["guide.home.plan", { plan: "sessions.plan.heading" }],
    ],
    gradesStep: ["guide.home.grades"],
  },
  {
    ...{ name: "sessions", who: "settings", area: "sessions", heading: "nav.sessions" },
    ways: [["/sessions", "calendar", "nav.sessions"]],
    steps: [
      ["guide.sessions.plan", { plan: "sessions.plan.heading" }],
      ["guide.sessions.repeat"],
      ["guide.sessions.preview", { preview: "sessions.plan.preview" }],
      ["guide.sessions.change", { edit: "sessions.edit" }],
    ],
    gradesStep: ["guide.sessions.unplanned", { make: "unplanned.acts.class" }],
  },
  {
    ...{ name: "attendance", who: "grades", area: "attendance", heading: "nav.attendance" },
    ways: [
      ["/grid", "attendance", "nav.attendance"],
      ["/register", "list", "register.toSessions"],
    ],
    steps: [
      ["guide.attendance.read"],
      ["guide.attendance.tap"],
      ["guide.attendance.register", { everyone: "register.everyoneElse" }],
      ["guide.attendance.checkIn", { open: "checkIn.open" }],
      ["guide.attendance.history", { look: "grid.brush.look" }],
    ],
  },
  {
    ...{ name: "grades", who: "grades", area: "grades", heading: "nav.grades" },
    ways: [["/grades", "grades", "nav.grades"]],
    steps: [
      ["guide.grades.check"],
      ["guide.grades.decide"],
      ["guide.grades.again", { again: "grades.again" }],
      ["guide.grades.history", { history: "common.history" }],
    ],
  },
  {
    ...{ name: "grading", who: "grades", area: "settings", heading: "grading.heading" },
    ways: [["/grading", "settings", "grading.heading"]],
    steps: [
      ["guide.grading.credit"],
      ["guide.grading.kind"],
      ["guide.grading.options"],
      ["guide.grading.preview", { preview: "grading.preview" }],
    ],
  },
  {
    ...{ name: "recordings", who: "settings", area: "recordings", heading: "nav.recordings" },
    ways: [["/recordings", "play", "nav.recordings"]],
    steps: [
      ["guide.recordings.wait", { refresh: "common.refresh" }],
      ["guide.recordings.publish", { publish: "recordings.publish" }],
      ["guide.recordings.edit"],
      ["guide.recordings.rule", { rule: "recordings.rule.heading" }],
    ],
  },
  {
    ...{ name: "people", who: "settings", area: "people", heading: "nav.people" },
    ways: [["/people", "people", "nav.people"]],
    steps: [
      ["guide.people.update", { update: "sections.roster.readNow" }],
      ["guide.people.find"],
      ["guide.people.sections"],
    ],
    gradesStep: ["guide.people.open"],
  },
  {
    ...{ name: "settings", who: "settings", area: "settings", heading: "nav.settings" },
    ways: [["/settings", "settings", "nav.settings"]],
    steps: [
      ["guide.settings.where"],
      ["guide.settings.when"],
      ["guide.settings.more", { more: "settings.more" }],
      ["guide.settings.save", { save: "common.save" }],
    ],
  },
  {
    ...{ name: "learner", who: "anybody", area: "home", heading: "guide.learner.heading" },
    ways: [
      ["/home", "home", "nav.home"],
      ["/my-sessions", "attendance", "nav.mine"],
      ["/recordings", "play", "nav.recordings"],
    ],
    steps: [
      ["guide.learner.join", { join: "enter.join" }],
      ["guide.learner.checkIn"],
      ["guide.learner.attendance", { mine: "nav.mine" }],
      ["guide.learner.grade"],
      ["guide.learner.recordings", { recordings: "nav.recordings" }],
    ],
  },
];

/** @param seesGrades Whether the reader's role includes learners' attendance and grades. */
export function stepsOf({ steps, gradesStep }: Guide, seesGrades: boolean, t: Translate): string[] {
  const read = gradesStep !== undefined && seesGrades ? [...steps, gradesStep] : steps;
  return read.map(([message, names = {}]) =>
    t(message, Object.fromEntries(Object.entries(names).map(([name, key]) => [name, t(key)]))),
  );
}
