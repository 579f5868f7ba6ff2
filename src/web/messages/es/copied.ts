/** The question in a copied course. */
export const copied = {
  heading: "Este curso es una copia de {{source}}",
  question:
    "¿Usar aquí su configuración? El aula es nueva: no se ha copiado a ninguna persona ni calificación.",
  same: "Su configuración es la misma que aquí, así que no hay nada que decidir. El aula es nueva: no se ha copiado a ninguna persona ni calificación.",
  changes: "Qué cambiaría:",
  take: "Usar esta configuración",
  decline: "Empezar de cero",
  understood: "De acuerdo",
  answered: {
    taken: "Este curso usa ahora la configuración del curso del que se copió.",
    declined: "Este curso mantiene su propia configuración.",
    late: "Esta pregunta ya se había respondido.",
  },
  settings: {
    mode: {
      tab: "El aula se abre en una pestaña nueva.",
      embedded: "El aula se muestra dentro de la página del curso.",
    },
    startCall: {
      true: "La llamada empieza cuando llega el primer docente.",
      false: "La llamada no empieza sola.",
    },
    startCallForEveryone: {
      true: "Quien llega primero inicia la llamada.",
      false: "Solo los docentes inician la llamada.",
    },
    skipDeviceSetup: {
      true: "Se entra sin prueba de cámara y micrófono, con ambos apagados.",
      false: "Antes de entrar se prueban la cámara y el micrófono.",
    },
    galleryView: {
      true: "El aula se abre en vista de galería.",
      false: "El aula no se abre en vista de galería.",
    },
    standalone: {
      true: "Desde el aula no se puede ir a otras salas.",
      false: "Se muestran los caminos del aula a otras salas.",
    },
    startLocalRecording: {
      true: "La grabación empieza con la llamada, si el navegador puede grabar.",
      false: "La grabación no empieza sola.",
    },
  },
  language: {
    lms: "El idioma del aula sigue al del LMS.",
    classroom: "El aula elige su idioma.",
    other: "El idioma del aula es: {{language}}.",
  },
  door: {
    always: "Los estudiantes pueden entrar en cualquier momento.",
    aroundSessions:
      "Los estudiantes pueden entrar desde {{before}} minutos antes de una sesión hasta {{after}} minutos después.",
  },
  noGrades: "La asistencia no da calificación.",
  columns: {
    course: "Hay una calificación para todas las sesiones juntas.",
    session: "Cada sesión tiene su propia calificación, y no hay ninguna para el conjunto.",
  },
  denominator: {
    "so-far": "La calificación es la media de las sesiones celebradas hasta ahora.",
    planned: "La calificación se divide entre todas las sesiones programadas, incluidas las futuras.",
    fixed_one: "La calificación se divide entre {{count}} sesión.",
    fixed_many: "La calificación se divide entre {{count}} de sesiones, se celebren las que se celebren.",
    fixed_other: "La calificación se divide entre {{count}} sesiones, se celebren las que se celebren.",
  },
  dropLowest_one: "La peor sesión de cada estudiante no cuenta para la calificación.",
  dropLowest_many: "Las {{count}} peores sesiones de cada estudiante no cuentan para la calificación.",
  dropLowest_other: "Las {{count}} peores sesiones de cada estudiante no cuentan para la calificación.",
  dropsNone: "No se descarta ninguna sesión por ser la peor de un estudiante.",
  minimum_one: "Hay calificación desde la primera sesión que cuenta.",
  minimum_many: "Solo hay calificación a partir de {{count}} de sesiones que cuentan.",
  minimum_other: "Solo hay calificación a partir de {{count}} sesiones que cuentan.",
  points: "La calificación por asistencia tiene {{points}} puntos.",
  credit: {
    PRESENT: "Asistir cuenta un {{percent}} %.",
    LATE: "Llegar tarde cuenta un {{percent}} %.",
    ABSENT: "La ausencia cuenta un {{percent}} %.",
    EXCUSED: "La falta justificada cuenta un {{percent}} %.",
  },
  leftOut: {
    PRESENT: "Las sesiones con asistencia se excluyen de la calificación.",
    LATE: "Las sesiones con retraso se excluyen de la calificación.",
    ABSENT: "Las sesiones con ausencia se excluyen de la calificación.",
    EXCUSED: "Las sesiones con falta justificada se excluyen de la calificación.",
  },
  comment: {
    true: "En el libro de calificaciones, junto a la calificación se escribe cómo se calculó.",
    false: "En el libro de calificaciones no se escribe nada junto a la calificación.",
  },
};
