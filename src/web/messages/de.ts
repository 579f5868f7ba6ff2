import { alerts } from "./de/alerts.ts";
import { browser } from "./de/browser.ts";
import { choose } from "./de/choose.ts";
import { cohorts } from "./de/cohorts.ts";
import { console } from "./de/console.ts";
import { copied } from "./de/copied.ts";
import { door } from "./de/door.ts";
import { ended } from "./de/ended.ts";
import { errors } from "./de/errors.ts";
import { grades } from "./de/grades.ts";
import { grading } from "./de/grading.ts";
import { home } from "./de/home.ts";
import { mine } from "./de/mine.ts";
import { more } from "./de/more.ts";
import { grid } from "./de/grid.ts";
import { inbox } from "./de/inbox.ts";
import { institution } from "./de/institution.ts";
import { label } from "./de/label.ts";
import { nav } from "./de/nav.ts";
import { presence } from "./de/presence.ts";
import { privacy } from "./de/privacy.ts";
import { readiness } from "./de/readiness.ts";
import { recordings } from "./de/recordings.ts";
import { register } from "./de/register.ts";
import { registration } from "./de/registration.ts";
import { restored } from "./de/restored.ts";
import { review } from "./de/review.ts";
import { sessions } from "./de/sessions.ts";
import { settings } from "./de/settings.ts";
import { setUp } from "./de/set-up.ts";
import { sections } from "./de/sections.ts";
import { signOut } from "./de/sign-out.ts";
import { space } from "./de/space.ts";
import { told } from "./de/told.ts";
import { trouble } from "./de/trouble.ts";
import { unmatched } from "./de/unmatched.ts";
import { waiting } from "./de/waiting.ts";

/**
 * German. Form of address: Sie; gender-neutral words (Lehrende, Lernende, Teilnehmende, Person) without asterisks.
 * The glossary: classroom = Klassenzimmer (product: Online-Klassenzimmer); Space = Space; session = Termin;
 * attendance = Anwesenheit (status: anwesend, verspätet, fehlt/gefehlt, entschuldigt; letters A, V, F, E);
 * register = Anwesenheitsliste; grade = Bewertung (as in Moodle); gradebook = Notenbuch (as in Canvas);
 * section = Abschnitt (as in Canvas); group = Gruppe; learner = Lernende, Person; instructor = Lehrperson, Lehrende;
 * list of people, roster = Personenliste; call = Videokonferenz; recording = Aufzeichnung; launch = Aufruf;
 * LMS = Lernplattform for people in courses, LMS in the console; cohort = Kohorte; alert = Meldung;
 * classroom user = Klassenzimmer-Konto; institution = Einrichtung; administrator = Administration.
 */
export const de = {
  language: { code: "de", direction: "ltr" },
  product: "Online-Klassenzimmer",
  enter: {
    title: "{{course}}: Online-Klassenzimmer",
    heading: "Ihr Online-Klassenzimmer",
    lead: "Es öffnet sich in einem neuen Tab, damit Kamera und Mikrofon funktionieren.",
    button: "Klassenzimmer betreten",
    opened:
      "Das Klassenzimmer wurde in einem neuen Tab geöffnet. Sie können jederzeit hierher zurückkommen und wieder eintreten.",
    coursePage: "Bewertungen und Personen",
    coursePageHint: "Alles Weitere zum Klassenzimmer dieses Kurses öffnet sich in einem neuen Tab.",
  },
  problem: {
    titles: {
      classroom: "Das Klassenzimmer lässt sich nicht öffnen",
      again: "Öffnen Sie den Link in Ihrem Kurs noch einmal",
      notFound: "Seite nicht gefunden",
      notAllowed: "Nicht erlaubt",
      registration: "Das Tool konnte nicht registriert werden",
      unexpected: "Etwas ist schiefgegangen",
    },
    retry: "Erneut versuchen",
    reference: "Referenz: {{reference}}",
    code: "Code: {{code}}",
    why: "Warum (nur für Lehrende sichtbar)",
    unavailable:
      "Das Klassenzimmer ist im Moment nicht erreichbar. Warten Sie eine Minute und versuchen Sie es noch einmal; wenn es so bleibt, sagen Sie Ihrer Lehrperson Bescheid.",
    unavailableToInstructor:
      "Das Klassenzimmer ist im Moment nicht erreichbar. Warten Sie eine Minute und versuchen Sie es noch einmal; wenn es so bleibt, geben Sie Ihrer Administration weiter, was unten steht.",
    storageAway:
      "Ihre Daten sind im Moment nicht erreichbar; es wurde nichts geändert und nichts ging verloren. Warten Sie eine Minute und versuchen Sie es noch einmal.",
    broken:
      "Das Klassenzimmer hat Sie nicht eingelassen. Versuchen Sie es noch einmal; wenn es wieder geschieht, sagen Sie Ihrer Lehrperson Bescheid.",
    brokenToInstructor:
      "Das Klassenzimmer hat Sie nicht eingelassen. Versuchen Sie es noch einmal; wenn es wieder geschieht, geben Sie Ihrer Administration weiter, was unten steht.",
    unexpected:
      "Bei uns ist etwas schiefgegangen. Versuchen Sie es noch einmal; wenn es wieder geschieht, geben Sie Ihrer Administration die Referenz unten weiter.",
    notFound:
      "Unter dieser Adresse gibt es keine Seite. Öffnen Sie das Klassenzimmer über den Link in Ihrem Kurs.",
    backToCourse: "Zurück zum Kurs",
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
