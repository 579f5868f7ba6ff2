/** Deep linking: choosing what a link opens. */
export const choose = {
  title: "Añadir el aula a {{course}}",
  heading: "¿Qué debe abrir el nuevo enlace?",
  headingSeveral: "¿Qué deben abrir los nuevos enlaces?",
  leadSeveral: "Cada opción que marque será un enlace propio.",
  course: "El aula de este curso",
  courseHint: "Lo que necesita la mayoría de los cursos: todos los enlaces del curso llevan a la misma sala.",
  space: "Otra aula",
  spaceHint: "Una sala que ya existe. Quien abre el enlace entra en ella.",
  sessions: "Una sesión",
  sessionsSeveral: "Sesiones",
  sessionsHint: "Abre el aula del curso y puede tener una columna para los puntos solo de esta sesión.",
  noSessions:
    "Aún no se conoce ninguna sesión de este curso. Las sesiones aparecen aquí cuando se ha marcado asistencia en ellas.",
  untimed: "hora desconocida",
  knownSpaces: "Sus otros cursos",
  noneKnown: "Ninguno de estos",
  spaceAddress: "O su dirección o id",
  knownAlone: "Un Space de este curso o de otro de los suyos",
  formerSpace: "El Space anterior de este curso, {{spaceId}}",
  ownOnly: "Su institución solo permite Spaces creados para sus cursos.",
  name: "Nombre del enlace",
  nameHint: "Una sesión conserva su propio nombre, salvo que escriba otro aquí.",
  nameHintSeveral:
    "Se usa si marca una sola opción; si son varias, cada enlace recibe el nombre de lo que abre.",
  column: "Con una columna en el libro de calificaciones",
  columnTaken:
    "La asistencia de este curso ya tiene su columna, y una segunda quedaría vacía. La columna de una sola sesión es otra cosa.",
  points: "Puntos",
  pointsHint: "Un número entero de 1 a 100.",
  add: "Añadir al curso",
  cancel: "Cancelar",
  mend: "Revise esto, por favor:",
  names: { link: "Aula en línea", session: "Sesión" },
  problems: {
    nothing: "Elija qué debe abrir el enlace.",
    onlyOne: "Su LMS solo acepta aquí un enlace cada vez. Elija uno.",
    session: "Esta sesión no es de su curso. Elija otra.",
    noSpace: "Elija uno de sus cursos o escriba la dirección o el id de la otra aula.",
    spaceUnreadable:
      "Esta no es la dirección de un aula. Pegue una que empiece por {{folder}} o el id que la sigue.",
    tooLong: "El nombre es demasiado largo. Caben 255 caracteres como máximo.",
    points: "Los puntos deben ser un número entero de 1 a 100.",
  },
  back: {
    title: "De vuelta a su curso",
    chosen: "Lo que eligió vuelve ahora a su curso.",
    nothing: "De vuelta a su curso; no se ha añadido nada.",
    button: "Volver al curso",
  },
  handedOver: {
    heading: "Su selección está en camino",
    lead: "La página de su plataforma la recibe. Puede cerrar esta ventana.",
    closed: "Si ha cerrado esa página, envíe su selección desde aquí.",
  },
  notChosen: {
    heading: "Todavía no se ha elegido nada",
    lead: "Elija en la ventana que se ha abierto. Después continúe aquí.",
  },
  refused: {
    heading: "Aquí no se puede añadir nada",
    learner: "Solo los docentes de un curso pueden añadir un enlace a su aula.",
    noLinks:
      "Su LMS ha pedido algo distinto de un enlace, como un archivo. Esta herramienta solo ofrece enlaces al aula.",
    nobody:
      "Su LMS no dijo quién es usted o qué curso es este, así que aquí no se puede crear ningún enlace.",
  },
  attendance: "Asistencia",
  opens: {
    summary: "Qué abre este enlace",
    now: {
      course: "Ahora: el aula de este curso.",
      space: "Ahora: otra aula, {{address}}.",
      session: "Ahora: la sesión «{{name}}» en el aula de este curso.",
    },
    legend: "Desde ahora este enlace abre",
    shut: {
      "no-right": "Nadie puede entrar: no está aprobada para este curso o se ha cerrado.",
      "not-own": "Ahora nadie puede entrar.",
    },
    keep: "Esta sesión, como antes",
    save: "Guardar",
    saved: "Guardado. Desde ahora el enlace abre lo que eligió.",
  },
  requests: {
    heading: "Spaces solicitados",
    open: "A la espera de respuesta",
    approved: "Aprobado: indique arriba su dirección para usarlo",
    refused: "Rechazado",
  },
};
