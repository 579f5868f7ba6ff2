import { alerts } from "./es/alerts.ts";
import { browser } from "./es/browser.ts";
import { choose } from "./es/choose.ts";
import { cohorts } from "./es/cohorts.ts";
import { console } from "./es/console.ts";
import { copied } from "./es/copied.ts";
import { door } from "./es/door.ts";
import { ended } from "./es/ended.ts";
import { errors } from "./es/errors.ts";
import { grades } from "./es/grades.ts";
import { grading } from "./es/grading.ts";
import { home } from "./es/home.ts";
import { mine } from "./es/mine.ts";
import { more } from "./es/more.ts";
import { grid } from "./es/grid.ts";
import { inbox } from "./es/inbox.ts";
import { institution } from "./es/institution.ts";
import { label } from "./es/label.ts";
import { nav } from "./es/nav.ts";
import { presence } from "./es/presence.ts";
import { privacy } from "./es/privacy.ts";
import { readiness } from "./es/readiness.ts";
import { recordings } from "./es/recordings.ts";
import { register } from "./es/register.ts";
import { registration } from "./es/registration.ts";
import { restored } from "./es/restored.ts";
import { review } from "./es/review.ts";
import { sessions } from "./es/sessions.ts";
import { settings } from "./es/settings.ts";
import { setUp } from "./es/set-up.ts";
import { sections } from "./es/sections.ts";
import { signOut } from "./es/sign-out.ts";
import { space } from "./es/space.ts";
import { told } from "./es/told.ts";
import { trouble } from "./es/trouble.ts";
import { unmatched } from "./es/unmatched.ts";
import { waiting } from "./es/waiting.ts";

/**
 * Spanish for Spain and Latin America. People are addressed as "usted"; buttons are infinitives. Words for people are
 * neutral where that reads well ("docente", "estudiante", "persona", "quien administra el LMS").
 *
 * Glossary: classroom "aula" (online classroom "aula en línea", as "aula virtual" often names the LMS itself); Space
 * "el Space"; learner "estudiante"; instructor and teacher "docente"; administrator "quien administra el LMS"; host
 * "alguien con el papel de anfitrión"; session "sesión", to plan "programar"; gradebook "libro de calificaciones";
 * grade "calificación", score "puntuación"; attendance "asistencia", register "lista de asistencia"; present, late,
 * absent, excused "Presente, Tarde, Ausente, Falta justificada"; left out "excluir"; section "sección",
 * cohort "cohorte", to link "vincular"; roster "lista de personas"; to match "identificar"; recording "grabación";
 * alert "alerta"; settings "configuración"; launch "acceso"; deployment "despliegue"; LMS stays "LMS".
 */
export const es = {
  language: { code: "es", direction: "ltr" },
  product: "Aula en línea",
  enter: {
    title: "{{course}}: aula en línea",
    heading: "Su aula en línea",
    lead: "Se abre en una pestaña nueva, para que funcionen la cámara y el micrófono.",
    button: "Entrar al aula",
    opened: "El aula se ha abierto en una pestaña nueva. Puede volver aquí y entrar otra vez cuando quiera.",
    coursePage: "Calificaciones y personas",
    coursePageHint: "Todo lo demás sobre el aula de este curso se abre en una pestaña nueva.",
  },
  problem: {
    titles: {
      classroom: "No se puede abrir el aula",
      again: "Vuelva a abrir el enlace de su curso",
      notFound: "Página no encontrada",
      notAllowed: "No permitido",
      registration: "No se pudo registrar la herramienta",
      unexpected: "Algo ha fallado",
    },
    retry: "Reintentar",
    reference: "Referencia: {{reference}}",
    code: "Código: {{code}}",
    why: "Motivo (solo lo ven los docentes)",
    unavailable:
      "No se puede acceder al aula en este momento. Espere un minuto e inténtelo de nuevo; si continúa así, avise a su docente.",
    unavailableToInstructor:
      "No se puede acceder al aula en este momento. Espere un minuto e inténtelo de nuevo; si continúa así, comunique a quien administra el LMS lo que se indica abajo.",
    storageAway:
      "En este momento no se puede acceder a sus datos; no se ha cambiado ni perdido nada. Espere un minuto e inténtelo de nuevo.",
    broken: "El aula no le dejó entrar. Inténtelo de nuevo; si vuelve a ocurrir, avise a su docente.",
    brokenToInstructor:
      "El aula no le dejó entrar. Inténtelo de nuevo; si vuelve a ocurrir, comunique a quien administra el LMS lo que se indica abajo.",
    unexpected:
      "Algo ha fallado de nuestro lado. Inténtelo de nuevo; si vuelve a ocurrir, dé a quien administra el LMS la referencia de abajo.",
    notFound: "No hay ninguna página en esta dirección. Abra el aula desde el enlace de su curso.",
    backToCourse: "Volver al curso",
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
