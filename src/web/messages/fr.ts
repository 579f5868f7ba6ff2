import { alerts } from "./fr/alerts.ts";
import { browser } from "./fr/browser.ts";
import { choose } from "./fr/choose.ts";
import { cohorts } from "./fr/cohorts.ts";
import { console } from "./fr/console.ts";
import { copied } from "./fr/copied.ts";
import { door } from "./fr/door.ts";
import { ended } from "./fr/ended.ts";
import { errors } from "./fr/errors.ts";
import { grades } from "./fr/grades.ts";
import { grading } from "./fr/grading.ts";
import { home } from "./fr/home.ts";
import { mine } from "./fr/mine.ts";
import { more } from "./fr/more.ts";
import { grid } from "./fr/grid.ts";
import { inbox } from "./fr/inbox.ts";
import { institution } from "./fr/institution.ts";
import { label } from "./fr/label.ts";
import { nav } from "./fr/nav.ts";
import { presence } from "./fr/presence.ts";
import { privacy } from "./fr/privacy.ts";
import { readiness } from "./fr/readiness.ts";
import { recordings } from "./fr/recordings.ts";
import { register } from "./fr/register.ts";
import { registration } from "./fr/registration.ts";
import { restored } from "./fr/restored.ts";
import { review } from "./fr/review.ts";
import { sessions } from "./fr/sessions.ts";
import { settings } from "./fr/settings.ts";
import { setUp } from "./fr/set-up.ts";
import { sections } from "./fr/sections.ts";
import { signOut } from "./fr/sign-out.ts";
import { space } from "./fr/space.ts";
import { told } from "./fr/told.ts";
import { trouble } from "./fr/trouble.ts";
import { unmatched } from "./fr/unmatched.ts";
import { waiting } from "./fr/waiting.ts";

/**
 * French, for every French-speaking country. Readers are addressed as "vous"; sentences are turned so that they fit
 * everybody where that is no burden, and statuses are nouns ("Présence"), which need no gender.
 *
 * classroom: classe virtuelle. Space: Space. session: séance. learner: étudiant. instructor: enseignant. people:
 * participants. attendance: présences; as what is graded, assiduité. register: feuille de présence. grade: note.
 * gradebook: carnet de notes. note on attendance: remarque. recording: enregistrement. LMS: plateforme for people in
 * courses, LMS for its administrators. cohort: cohorte. section: section. group: groupe. late: retard. excused:
 * absence excusée. tab: onglet. waiting room: salle d'attente. registration: enregistrement. deployment: déploiement.
 *
 * The spaces before : ; ? ! % and inside « » are non-breaking ones. The gradebook's column keeps its real name,
 * "Attendance", which is not translated there.
 */
export const fr = {
  language: { code: "fr", direction: "ltr" },
  product: "Classe virtuelle",
  enter: {
    title: "{{course}} : classe virtuelle",
    heading: "Votre classe virtuelle",
    lead: "Elle s’ouvre dans un nouvel onglet, pour que votre caméra et votre micro fonctionnent.",
    button: "Entrer dans la classe virtuelle",
    opened:
      "La classe virtuelle s’est ouverte dans un nouvel onglet. Vous pouvez revenir ici et entrer à nouveau à tout moment.",
    coursePage: "Notes et participants",
    coursePageHint: "Tout le reste de la classe virtuelle de ce cours s’ouvre dans un nouvel onglet.",
  },
  problem: {
    titles: {
      classroom: "Impossible d’ouvrir la classe virtuelle",
      again: "Ouvrez à nouveau le lien de votre cours",
      notFound: "Page introuvable",
      notAllowed: "Accès non autorisé",
      registration: "L’outil n’a pas pu être enregistré",
      unexpected: "Une erreur s’est produite",
    },
    retry: "Réessayer",
    reference: "Référence : {{reference}}",
    code: "Code : {{code}}",
    why: "Pourquoi (visible des enseignants seulement)",
    unavailable:
      "La classe virtuelle n’est pas joignable pour le moment. Attendez une minute et réessayez ; si cela continue, prévenez votre enseignant.",
    unavailableToInstructor:
      "La classe virtuelle n’est pas joignable pour le moment. Attendez une minute et réessayez ; si cela continue, transmettez à votre administrateur ce qui est indiqué ci-dessous.",
    storageAway:
      "Vos données sont momentanément inaccessibles ; rien n’a été modifié ni perdu. Attendez une minute, puis réessayez.",
    broken:
      "La classe virtuelle ne vous a pas laissé entrer. Réessayez ; si cela se reproduit, prévenez votre enseignant.",
    brokenToInstructor:
      "La classe virtuelle ne vous a pas laissé entrer. Réessayez ; si cela se reproduit, transmettez à votre administrateur ce qui est indiqué ci-dessous.",
    unexpected:
      "Une erreur s’est produite de notre côté. Réessayez ; si cela se reproduit, donnez à votre administrateur la référence ci-dessous.",
    notFound: "Il n’y a pas de page à cette adresse. Ouvrez la classe virtuelle par le lien de votre cours.",
    backToCourse: "Retour au cours",
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
