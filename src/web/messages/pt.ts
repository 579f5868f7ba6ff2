/*
 * Portuguese: você throughout, understood in Brazil and in Portugal, leaning to Brazil where they differ.
 * Forms that name nobody's gender are preferred (estudante, docente, "quem ..."); every count of people is a noun.
 *
 * classroom: sala de aula; Space: Space (o Space); LMS: "plataforma de ensino" to people in courses, LMS to operators;
 * learner: estudante; instructor, teacher: docente ("seu professor ou sua professora" to learners);
 * your administrator: a administração; gradebook: livro de notas; grade: nota; course: curso; section: seção;
 * cohort: coorte; roster: lista de participantes; session: sessão (class: aula, turma); to plan: agendar;
 * attendance: presença; register: lista de presença; PRESENT, LATE, ABSENT, EXCUSED: presença, atraso, falta,
 * falta justificada; note: observação (nota is a grade); host: anfitrião; waiting room: sala de espera;
 * recording: gravação; launch: acesso; registration: registro; deployment: implantação.
 */
import { alerts } from "./pt/alerts.ts";
import { browser } from "./pt/browser.ts";
import { choose } from "./pt/choose.ts";
import { cohorts } from "./pt/cohorts.ts";
import { console } from "./pt/console.ts";
import { copied } from "./pt/copied.ts";
import { door } from "./pt/door.ts";
import { ended } from "./pt/ended.ts";
import { errors } from "./pt/errors.ts";
import { grades } from "./pt/grades.ts";
import { grading } from "./pt/grading.ts";
import { home } from "./pt/home.ts";
import { mine } from "./pt/mine.ts";
import { more } from "./pt/more.ts";
import { grid } from "./pt/grid.ts";
import { inbox } from "./pt/inbox.ts";
import { institution } from "./pt/institution.ts";
import { label } from "./pt/label.ts";
import { nav } from "./pt/nav.ts";
import { presence } from "./pt/presence.ts";
import { privacy } from "./pt/privacy.ts";
import { readiness } from "./pt/readiness.ts";
import { recordings } from "./pt/recordings.ts";
import { register } from "./pt/register.ts";
import { registration } from "./pt/registration.ts";
import { restored } from "./pt/restored.ts";
import { review } from "./pt/review.ts";
import { sessions } from "./pt/sessions.ts";
import { settings } from "./pt/settings.ts";
import { setUp } from "./pt/set-up.ts";
import { sections } from "./pt/sections.ts";
import { signOut } from "./pt/sign-out.ts";
import { space } from "./pt/space.ts";
import { told } from "./pt/told.ts";
import { trouble } from "./pt/trouble.ts";
import { unmatched } from "./pt/unmatched.ts";
import { waiting } from "./pt/waiting.ts";

export const pt = {
  language: { code: "pt", direction: "ltr" },
  product: "Sala de aula online",
  enter: {
    title: "{{course}}: sala de aula online",
    heading: "Sua sala de aula online",
    lead: "Ela abre em uma nova aba, para que câmera e microfone funcionem.",
    button: "Entrar na sala de aula",
    opened:
      "A sala de aula abriu em uma nova aba. Você pode voltar aqui e entrar de novo a qualquer momento.",
    coursePage: "Notas e pessoas",
    coursePageHint: "Tudo o mais sobre a sala de aula deste curso abre em uma nova aba.",
  },
  problem: {
    titles: {
      classroom: "Não foi possível abrir a sala de aula",
      again: "Abra de novo o link no seu curso",
      notFound: "Página não encontrada",
      notAllowed: "Não permitido",
      registration: "Não foi possível registrar a ferramenta",
      unexpected: "Algo deu errado",
    },
    retry: "Tentar de novo",
    reference: "Referência: {{reference}}",
    code: "Código: {{code}}",
    why: "Motivo (só docentes veem isto)",
    unavailable:
      "Não é possível chegar à sala de aula no momento. Espere um minuto e tente de novo; se continuar assim, avise seu professor ou sua professora.",
    unavailableToInstructor:
      "Não é possível chegar à sala de aula no momento. Espere um minuto e tente de novo; se continuar assim, informe à administração o que está escrito abaixo.",
    storageAway:
      "No momento não é possível acessar os seus dados; nada foi alterado nem perdido. Espere um minuto e tente de novo.",
    broken:
      "A sala de aula não deixou você entrar. Tente de novo; se voltar a acontecer, avise seu professor ou sua professora.",
    brokenToInstructor:
      "A sala de aula não deixou você entrar. Tente de novo; se voltar a acontecer, informe à administração o que está escrito abaixo.",
    unexpected:
      "Algo deu errado do nosso lado. Tente de novo; se voltar a acontecer, informe à administração a referência abaixo.",
    notFound: "Não há página neste endereço. Abra a sala de aula pelo link no seu curso.",
    backToCourse: "Voltar ao curso",
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
