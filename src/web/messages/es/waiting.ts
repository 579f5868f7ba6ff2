/** The page of somebody who waits at the classroom's door, and what it says when their place is over. */
export const waiting = {
  heading: "Está en la fila para entrar al aula",
  lead: "Se entra por orden de llegada. Le dejaremos entrar automáticamente; no tiene que hacer nada.",
  keepOpen:
    "Mantenga abierta esta página. Mientras tanto puede ver otras: su lugar se conserva y esta pestaña le indica cuándo es su turno.",
  next: "Usted es la siguiente persona.",
  before_one: "Hay {{number}} persona antes que usted.",
  before_many: "Hay {{number}} de personas antes que usted.",
  before_other: "Hay {{number}} personas antes que usted.",
  time: {
    moment: "Faltan unos segundos.",
    seconds: "Faltan unos {{seconds}} segundos.",
    underMinute: "Falta menos de un minuto.",
    minute: "Falta alrededor de un minuto.",
    minutes: "Faltan unos {{minutes}} minutos.",
  },
  trouble: "El aula no responde en este momento. Seguimos intentándolo y usted conserva su lugar.",
  ready: "Es su turno. El aula se está abriendo.",
  offline: "Se perdió la conexión. Seguimos intentándolo; compruebe si tiene conexión a internet.",
  progress: "Avance en la fila",
  titles: {
    next: "Es casi su turno - {{course}}",
    before: "{{number}} antes que usted - {{course}}",
    trouble: "Espere, por favor - {{course}}",
    ready: "Entrando en {{course}}",
  },
  byHand: {
    refreshed: "Esta página se actualiza sola cada pocos segundos.",
    press: "Pulse el botón para ver si ya es su turno.",
    look: "Comprobar ahora",
  },
  elsewhere: {
    heading: "Este lugar en la fila pertenece a otro navegador",
    what: "Solo el navegador en el que se abrió el enlace al aula puede esperar aquí y entrar. Para entrar usted, abra el enlace al aula en su curso; quien tiene un lugar en la fila lo conserva.",
    cookies:
      "Si este es ese navegador, no guardó ninguna cookie nuestra: permita las cookies de este sitio, o abra de nuevo el enlace al aula en su curso y deje la página abierta.",
  },
  over: {
    entered: {
      heading: "Ya ha entrado",
      what: "Esta página le dejó entrar al aula una vez. Para volver a entrar, abra de nuevo el enlace al aula en su curso; después puede cerrar esta página.",
    },
    gone: {
      heading: "Esta página ya no tiene lugar en la fila",
      what: "Si volvió a abrir el aula, la pestaña más reciente tiene su lugar: vaya a ella. Si estuvo fuera mucho tiempo, abra de nuevo el enlace al aula en su curso.",
    },
  },
};
