import { alerts } from "./en/alerts.ts";
import { browser } from "./en/browser.ts";
import { choose } from "./en/choose.ts";
import { cohorts } from "./en/cohorts.ts";
import { console } from "./en/console.ts";
import { copied } from "./en/copied.ts";
import { door } from "./en/door.ts";
import { ended } from "./en/ended.ts";
import { errors } from "./en/errors.ts";
import { grades } from "./en/grades.ts";
import { grading } from "./en/grading.ts";
import { home } from "./en/home.ts";
import { mine } from "./en/mine.ts";
import { more } from "./en/more.ts";
import { grid } from "./en/grid.ts";
import { inbox } from "./en/inbox.ts";
import { institution } from "./en/institution.ts";
import { label } from "./en/label.ts";
import { nav } from "./en/nav.ts";
import { presence } from "./en/presence.ts";
import { privacy } from "./en/privacy.ts";
import { readiness } from "./en/readiness.ts";
import { recordings } from "./en/recordings.ts";
import { register } from "./en/register.ts";
import { registration } from "./en/registration.ts";
import { restored } from "./en/restored.ts";
import { review } from "./en/review.ts";
import { sessions } from "./en/sessions.ts";
import { settings } from "./en/settings.ts";
import { setUp } from "./en/set-up.ts";
import { sections } from "./en/sections.ts";
import { signOut } from "./en/sign-out.ts";
import { space } from "./en/space.ts";
import { told } from "./en/told.ts";
import { trouble } from "./en/trouble.ts";
import { unmatched } from "./en/unmatched.ts";
import { waiting } from "./en/waiting.ts";

/** English, the language every other catalogue is measured by. */
export const en = {
  /** Of this catalogue, for the page's `lang` and `dir`: a reader of a language we lack is served this one. */
  language: { code: "en", direction: "ltr" },
  product: "Online classroom",
  enter: {
    title: "{{course}}: online classroom",
    heading: "Your online classroom",
    lead: "It opens in a new tab, so that your camera and microphone work.",
    button: "Enter the classroom",
    opened: "The classroom has opened in a new tab. You can come back here and enter again at any time.",
    coursePage: "Grades and people",
    coursePageHint: "Everything else about the classroom of this course opens in a new tab.",
  },
  problem: {
    /** What the page of a failure is called; which one fits is chosen by `error-page`. */
    titles: {
      classroom: "The classroom cannot be opened",
      again: "Open the link in your course again",
      notFound: "Page not found",
      notAllowed: "Not allowed",
      registration: "The tool could not be registered",
      unexpected: "Something went wrong",
    },
    retry: "Try again",
    reference: "Reference: {{reference}}",
    code: "Code: {{code}}",
    why: "Why (only instructors see this)",
    unavailable:
      "The classroom cannot be reached at the moment. Wait a minute and try again; if it goes on, tell your teacher.",
    unavailableToInstructor:
      "The classroom cannot be reached at the moment. Wait a minute and try again; if it goes on, tell your administrator what is said below.",
    storageAway:
      "Your data cannot be reached at the moment, and nothing was changed or lost. Wait a minute and try again.",
    broken: "The classroom would not let you in. Try again; if it happens again, tell your teacher.",
    brokenToInstructor:
      "The classroom would not let you in. Try again; if it happens again, tell your administrator what is said below.",
    unexpected:
      "Something went wrong on our side. Try again; if it happens again, give your administrator the reference below.",
    notFound: "There is no page at this address. Open the classroom from the link in your course.",
    backToCourse: "Back to the course",
  },
  alerts,
  browser,
  choose,
  cohorts,
  grades,
  grading,
  grid,
  restored,
  review,
  sections,
  sessions,
  settings,
  inbox,
  institution,
  home,
  setUp,
  mine,
  more,
  label,
  nav,
  presence,
  privacy,
  readiness,
  copied,
  ended,
  errors,
  door,
  recordings,
  register,
  registration,
  console,
  signOut,
  space,
  told,
  trouble,
  unmatched,
  waiting,
};
