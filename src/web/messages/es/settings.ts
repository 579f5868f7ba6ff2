const yesNo = { yes: "Sí", no: "No" };
const everybody = "Para todas las personas.";

/** The settings of a course and of one of its links. */
export const settings = {
  title: "Configuración: {{course}}",
  tabs: { label: "Partes de la configuración", space: "Space", grades: "Calificaciones", changes: "Cambios" },
  heading: { course: "Configuración del curso", link: "Configuración solo de este enlace" },
  lead: {
    course:
      "Vale para todos los enlaces de este curso, desde la próxima vez que alguien entre. No afecta a quienes ya están dentro.",
    link: "Vale para el enlace por el que usted ha entrado, desde la próxima vez que alguien lo use. Lo que deje en «Como en el curso» sigue al curso.",
  },
  scope: { course: "Configuración del curso", link: "Configuración solo de este enlace" },
  linkDiffers: "Este enlace tiene su propia configuración, que prevalece sobre la de esta página.",
  changes: {
    kind: "Tipo de cambios",
    everything: "Todos los cambios",
    kinds: {
      attendance: "Asistencia",
      grades: "Calificaciones",
      settings: "Configuración y Space",
      sessions: "Sesiones",
      people: "Personas, secciones y cohortes",
      recordings: "Grabaciones",
    },
    show: "Mostrar",
    noneOfKind: "Aún no hay cambios de este tipo.",
  },
  locked: {
    by: "Lo fija su institución.",
    note: "Algunos valores los fija su institución para todos sus cursos. Se muestran aquí y no se pueden cambiar.",
    aroundSessions: "Solo en torno a sus sesiones: de {{before}} minutos antes a {{after}} minutos después",
  },
  audit: { course: "{{setting}}: {{value}}", link: "Solo para un enlace, {{setting}}: {{value}}" },
  saved: "Guardado. Vale desde la próxima vez que alguien entre.",
  notSaved: "Todavía no se ha guardado nada. Revise lo que está marcado abajo.",
  conflict: {
    heading: "Mientras tanto, otra persona cambió esta configuración",
    lead: "Aún no se ha guardado nada de lo suyo. Lo que cambió la otra persona:",
    change: "{{field}}: ahora «{{now}}», antes «{{was}}»",
    unseen: "Se conserva lo que escribió. Revise la página y vuelva a guardar.",
    then: "Lo que solo cambió la otra persona ya aparece en la página de abajo; el resto está como usted lo dejó. Revíselo y vuelva a guardar.",
  },
  save: "Guardar",
  reset: {
    heading: { course: "Empezar de nuevo", link: "Volver a la configuración del curso" },
    lead: {
      course:
        "Devuelve todo lo de esta página a lo que tiene un curso nuevo en su institución, salvo lo que indique sobre el Space. Antes verá qué cambia.",
      link: "Retira todo lo que eligió para este enlace en esta página, salvo lo que indique sobre su Space. Antes verá qué cambia.",
    },
    button: { course: "Restablecer valores", link: "Usar la del curso" },
    question: {
      course: "¿Restablecer los valores?",
      link: "¿Usar la configuración del curso para este enlace?",
    },
    changes: "Todavía no se ha cambiado nada. Esto es lo que sería distinto:",
    same: "Ya está así, de modo que no hay nada que cambiar.",
    table: "Qué cambia al restablecer",
    setting: "Opción",
    was: "Ahora",
    then: "Después",
    back: "Volver sin cambiar nada",
  },
  groups: {
    enter: "Cómo se entra",
    see: "Qué se ve",
    when: "Cuándo pueden entrar los estudiantes",
    who: "Quién puede entrar",
    space: "A quién deja entrar el propio Space",
    newSpace: "Cómo se crea el Space",
  },
  inherit: {
    none: "Como en el curso",
    course: "Como en el curso ({{answer}})",
    lms: "Como indica su LMS para este enlace ({{answer}})",
  },
  fields: {
    mode: {
      label: "Dónde se abre el aula",
      hint: "Lo más fiable es una pestaña nueva. Dentro de la página del curso puede faltar la cámara o el micrófono; en ese caso la herramienta ofrece la pestaña. En teléfonos y tabletas siempre se abre una pestaña nueva.",
      who: everybody,
      answers: { tab: "En una pestaña nueva", embedded: "Dentro de la página del curso" },
    },
    call: {
      label: "La llamada empieza sola",
      hint: "Con el primer docente o con quien llegue primero; si no, alguien la inicia a mano.",
      who: "Para docentes; con «Cuando llega cualquiera», también para estudiantes.",
      answers: {
        host: "Cuando llega el primer docente",
        anyone: "Cuando llega cualquiera",
        nobody: "No empieza sola",
      },
    },
    skipDeviceSetup: {
      label: "Omitir la prueba de cámara y micrófono",
      hint: "Así se entra siempre con el micrófono y la cámara apagados.",
      who: everybody,
      answers: yesNo,
    },
    startLocalRecording: {
      label: "La grabación empieza con la llamada",
      hint: "Se graba en el navegador de cada persona, y nadie puede unirse a la llamada sin permitirlo. Los teléfonos y las tabletas no pueden grabar así y se unen sin grabar.",
      who: everybody,
      answers: yesNo,
    },
    galleryView: {
      label: "Empezar en vista de galería",
      hint: "La imagen de todas las personas en una cuadrícula. Mientras está activo el modo líder, decide quien lidera.",
      who: everybody,
      answers: yesNo,
    },
    standalone: {
      label: "Ocultar las salidas del aula",
      hint: "Quita la navegación a otros Spaces, Copy Link e Invite Users. Con «No» queda como lo ha dispuesto su institución.",
      who: everybody,
      answers: yesNo,
    },
    language: {
      label: "Idioma del aula",
      hint: "Se comunica al aula, que no nos dice qué idiomas tiene.",
      who: everybody,
      answers: { lms: "El de cada persona en el LMS", classroom: "Lo elige el aula" },
    },
    opens: {
      label: "El aula está abierta",
      hint: "Quien llega antes ve cuándo se abre y entra entonces. Quien ya está dentro se queda.",
      who: "Para estudiantes. Los docentes siempre pueden entrar.",
      answers: { always: "En todo momento", "around-sessions": "Solo en torno a sus sesiones" },
    },
    minutesBefore: { label: "Minutos antes de una sesión" },
    minutesAfter: { label: "Minutos después" },
    who: {
      label: "El aula es para",
      hint: "A las demás personas se les dice para quién es. Un estudiante cuya sección no indica su LMS puede entrar.",
      who: "Para estudiantes. Los docentes siempre pueden entrar.",
      answers: { all: "Todas las personas del curso", some: "Solo estas secciones o grupos" },
    },
    sections: { label: "Secciones o grupos", none: "ninguno" },
    access: {
      label: "Este Space",
      hint: "Los estudiantes reciben este aviso antes de entrar.",
      answers: {
        unknown: "Deja entrar a cualquiera, o no lo sé",
        "waiting-room": "Tiene sala de espera",
        "invited-only": "Solo deja entrar con invitación",
      },
    },
    newAccess: {
      label: "Acceso",
      hint: "Público: puede unirse cualquiera que tenga la dirección del Space. Solo con invitación: al crearse el Space, se comunica al aula quiénes forman parte del curso, en la medida en que ya los conozca. A quien no pueda entrar, quizá por haber llegado después, lo invita usted en el propio aula.",
      answers: { Public: "Público", Private: "Solo con invitación" },
    },
    newWaiting: {
      label: "Sala de espera",
      hint: "Con sala de espera, alguien con el papel de anfitrión deja entrar a cada participante a mano.",
      answers: yesNo,
    },
  },
  problems: {
    choose: "Elija una de las respuestas ofrecidas.",
    minutes: "Un número entero de 0 a {{most}}.",
    sections: "Marque al menos una opción o elija a todas las personas.",
  },
  door: {
    now: "En este momento:",
    always: "abierta para los estudiantes.",
    session: "abierta para los estudiantes, porque hay una sesión en curso, hasta",
    "no-session":
      "abierta para los estudiantes, porque no sabemos de ninguna sesión pendiente. Lo que no sabemos no deja fuera a nadie.",
    "session-untimed": "abierta para los estudiantes, porque sabemos de una sesión pero no de su hora.",
    early: "cerrada para los estudiantes. Se abre:",
    over: "cerrada para los estudiantes, porque la única sesión del enlace ha terminado.",
    cancelled: "cerrada para los estudiantes, porque la única sesión del enlace se canceló.",
    deleted: "cerrada para los estudiantes, porque la única sesión del enlace se eliminó en el aula.",
    oneSession: "Este enlace es para una sola sesión: «en torno a sus sesiones» se refiere a ella.",
    noSections:
      "Su LMS no nos ha comunicado secciones ni grupos de este curso, así que solo puede estar abierta para todas las personas.",
  },
  preview: {
    heading: "Las direcciones resultantes",
    lead: "Aquí llega quien entra desde un equipo de escritorio o portátil, según lo elegido arriba, esté guardado o no. Sus datos de acceso se añaden al entrar.",
    button: "Mostrar las direcciones",
    host: "Para un docente",
    participant: "Para un estudiante",
    notMade: "El Space aún no se ha creado; SPACE-ID representa el id que tendrá.",
    none: "Las direcciones no dicen nada más al aula.",
    meaning: "Qué dicen las direcciones",
    who: { both: everybody, host: "Solo para docentes.", participant: "Solo para estudiantes." },
    says: {
      startCall: "La llamada empieza sola cuando se une el primer docente.",
      skipCallHostCheck: "La llamada empieza con quien se une primero, estudiantes incluidos.",
      skipDeviceSetup:
        "No hay prueba de dispositivos; al principio, el micrófono y la cámara están apagados.",
      gv: "La imagen de todas las personas en una cuadrícula, salvo que quien lidera decida otra cosa.",
      standalone: "Sin salidas a otros Spaces, sin Copy Link y sin Invite Users.",
      startLocalRecording:
        "La grabación empieza con la llamada, en el navegador de cada persona. En teléfonos y tabletas se omite.",
      broadcastEvents:
        "El aula informa a la página que la rodea sobre la conexión, los dispositivos y el final de la llamada.",
    },
    language: {
      fixed: "El aula se muestra en este idioma: {{language}}.",
      reader: "El aula se muestra en el idioma de cada persona en el LMS; aquí es el suyo: {{language}}.",
    },
  },
  space: {
    heading: { course: "El Space de este curso", link: "El Space de este enlace" },
    made: "El curso tiene este Space. Cualquiera que conozca su dirección puede intentar entrar; a quién deja entrar solo se ve y se cambia en el aula.",
    notMade: "El Space de este curso aún no se ha creado.",
    linked:
      "Este enlace abre otro Space, {{address}}. No se puede preguntar al aula a quién deja entrar, así que díganos lo que sepa.",
    forGood:
      "El curso aún no tiene Space; se crea poco después de que el primer docente abra el aula. Lo que elija aquí vale si se guarda antes; después esta herramienta no puede cambiarlo, solo alguien en el propio aula.",
    unchangeable:
      "La herramienta no puede consultar ni cambiar a quién deja entrar un Space ya creado. Hágalo en el propio aula y después indíquelo aquí.",
    ids: "Para invitar a personas en el aula puede necesitar sus id del aula: están en la página «Personas», para todas las que ya están preparadas para entrar.",
    idOf: "Id del aula:",
    former:
      "Antes, el curso tuvo estos Spaces. Siguen en el aula, y las sesiones que se celebren allí pertenecen a este curso.",
    late: "Mientras tanto, otra persona dio otro Space a este curso. No se ha cambiado nada de lo suyo; así está ahora.",
    notes: {
      linked: "El curso tiene ahora este Space. Se entra en él desde la próxima vez.",
      tooLate:
        "El Space se creó mientras esta página estaba abierta, tal como estaba configurado antes. Si debe tener otro acceso u otra sala de espera, cree un Space nuevo abajo.",
      made: "El curso tiene un Space nuevo. Se entra en él desde la próxima vez.",
    },
    problems: {
      missing: "Pegue la dirección de un Space o elija uno de la lista.",
      unreadable:
        "Esta no es la dirección de un Space de su aula. Pegue una que empiece por {{appUrl}}/spaces/ o el id que la sigue.",
      own: "El curso ya tiene este Space.",
    },
    another: {
      open: "Usar otro Space",
      heading: "Otro Space para este curso",
      lead: "Es para todo el curso. Verá lo que significa antes de que se cambie nada.",
      now: "El curso tiene ahora este Space:",
      none: "El curso aún no tiene Space. Si no vincula ninguno, se crea cuando alguien entra por primera vez.",
      existing: "Un Space que ya existe",
      address: "Dirección o id del Space",
      hint: "Su dirección empieza por {{begins}}",
      known: "O el Space de otro de sus cursos",
      noneKnown: "Ninguno de ellos",
      look: "Ver qué significa",
      fresh: "Un Space nuevo",
      freshLead: "Un Space nuevo está vacío: no contiene nada de lo que se puso en el anterior.",
      lookNew: "Ver qué significa uno nuevo",
    },
    change: {
      title: "Otro Space: {{course}}",
      heading: { link: "¿Vincular este Space al curso?", new: "¿Crear un Space nuevo para el curso?" },
      lead: "Todavía no se ha cambiado nada.",
      before: "El curso tiene ahora",
      after: "Tendría",
      none: "Ningún Space",
      fresh: "Un Space nuevo y vacío",
      means: "Qué significa",
      kept: "El Space anterior se queda en el aula con todo lo que contiene. Puede volver a vincularlo por su dirección.",
      grades: "Las sesiones del Space anterior, su asistencia y sus calificaciones se quedan en este curso.",
      coming_one:
        "{{count}} sesión pendiente está ligada al Space anterior: la asistencia solo se registra allí. Cancélela y vuelva a programarla.",
      coming_many:
        "{{count}} de sesiones pendientes están ligadas al Space anterior: la asistencia solo se registra allí. Cancélelas y vuelva a programarlas.",
      coming_other:
        "{{count}} sesiones pendientes están ligadas al Space anterior: la asistencia solo se registra allí. Cancélelas y vuelva a programarlas.",
      manyComing_one:
        "Al menos {{count}} sesión pendiente está ligada al Space anterior: la asistencia solo se registra allí. Cancélela y vuelva a programarla.",
      manyComing_many:
        "Al menos {{count}} de sesiones pendientes están ligadas al Space anterior: la asistencia solo se registra allí. Cancélelas y vuelva a programarlas.",
      manyComing_other:
        "Al menos {{count}} sesiones pendientes están ligadas al Space anterior: la asistencia solo se registra allí. Cancélelas y vuelva a programarlas.",
      inside: "Quien está ahora en el Space anterior se queda allí hasta que salga.",
      unchecked:
        "El aula no dice a esta herramienta si existe un Space con esta dirección ni a quién deja entrar. Entre usted una vez antes que sus estudiantes.",
      access: {
        Public: "El nuevo Space es público: puede unirse cualquiera que tenga su dirección.",
        Private:
          "El nuevo Space es solo para personas invitadas. Se comunica al aula quiénes forman parte del curso, en la medida en que ya los conozca. A quien no pueda entrar, quizá por haber llegado después, lo invita usted en el propio aula.",
      },
      waiting:
        "El nuevo Space tiene sala de espera: alguien con el papel de anfitrión deja entrar a cada participante a mano.",
      forGood: "Después, esta herramienta no puede cambiar el acceso ni la sala de espera.",
      shared: "También es el Space de otros cursos:",
      sharedMeans:
        "Las personas de todos estos cursos se encuentran en él. Una sesión que alguien programe en el propio aula pertenece solo a uno de los cursos; los demás la encuentran entre las sesiones sin identificar.",
      share: "Los cursos pueden compartir este Space",
      unsaid: "Márquelo si así lo quiere.",
      button: { link: "Vincular este Space", new: "Crear un Space nuevo" },
      back: "Volver sin cambiar nada",
    },
  },
  lms: {
    heading: "Lo que indica su LMS para este enlace",
    lead: "Un enlace del LMS puede llevar parámetros personalizados. Prevalecen sobre la configuración del curso; lo que usted elija en esta página prevalece sobre ellos.",
    none: "No lleva ninguno para el aula.",
    taken: "{{name}}: {{answer}}",
    overruled: "{{name}}: {{answer}}, pero prevalece lo elegido en esta página",
    ignored: "No se entienden y no tienen efecto:",
  },
};
