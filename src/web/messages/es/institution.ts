/** What an institution sets for the courses of its LMS, in the operator's console. */
export const institution = {
  heading: "Valores para los cursos de {{name}}",
  open: "Valores para sus cursos",
  openLead: "Con qué empiezan los cursos de este LMS y qué no pueden cambiar los docentes.",
  back: "Volver al LMS",
  lead: "Para cada valor puede no fijar nada, fijar un valor predeterminado o bloquearlo.",
  means: {
    default:
      "Un valor predeterminado es con lo que empiezan los cursos nuevos y lo que obtienen los docentes al restablecer su configuración. Los cursos que ya existen conservan lo que tienen.",
    locked_one:
      "Un bloqueo vale de inmediato en todos los cursos, incluido el que ya existe, y por encima de lo elegido para enlaces concretos. Los docentes ven el valor y no pueden cambiarlo. Al quitar el bloqueo, cada curso recupera su propio valor.",
    locked_many:
      "Un bloqueo vale de inmediato en todos los cursos, también en los que ya existen ({{count}}), y por encima de lo elegido para enlaces concretos. Los docentes ven el valor y no pueden cambiarlo. Al quitar el bloqueo, cada curso recupera su propio valor.",
    locked_other:
      "Un bloqueo vale de inmediato en todos los cursos, también en los que ya existen ({{count}}), y por encima de lo elegido para enlaces concretos. Los docentes ven el valor y no pueden cambiarlo. Al quitar el bloqueo, cada curso recupera su propio valor.",
    grades:
      "Si bloquea algo relativo a las calificaciones, se recalculan las de todos los cursos y se envían a sus libros de calificaciones. Las que los docentes cambiaron allí a mano se dejan como están, si el LMS las da a conocer.",
  },
  states: {
    unset: "Sin fijar",
    default: "Predeterminado: los docentes pueden cambiarlo",
    locked: "Bloqueado: los docentes no pueden cambiarlo",
  },
  stateOf: "{{rule}}: cómo se fija",
  value: "Valor",
  groups: {
    entering: "Cómo se entra",
    space: "Cómo se crean los Spaces",
    door: "Cuándo pueden entrar los estudiantes",
    grades: "Cómo se calcula la calificación",
  },
  rules: {
    mode: "Dónde se abre el aula",
    call: "La llamada empieza sola",
    skipDeviceSetup: "Omitir la prueba de cámara y micrófono",
    galleryView: "Empezar en vista de galería",
    standalone: "Ocultar las salidas del aula",
    language: "Idioma del aula",
    startLocalRecording: "La grabación empieza con la llamada",
    newSpace: "Acceso y sala de espera de los Spaces nuevos",
    doorTimes: "El aula está abierta",
    kind: "Calificaciones en el libro",
    points: "Puntos máximos",
    credit: "Lo que vale una sesión",
    denominator: "Entre qué se divide",
    dropLowest: "Peores sesiones que no cuentan",
    minimumSessions: "Sesiones necesarias para calificar",
    comment: "Explicación en el libro de calificaciones",
  },
  spaces: {
    label: "Qué Spaces pueden usar los cursos",
    approved: "Los suyos y otros aprobados",
    own: "Solo Spaces creados para cursos de este LMS",
    hint: "Con «Solo», los demás Spaces no se pueden enlazar ni se entra en ellos, aunque estén aprobados, y nadie puede solicitarlos. No se borra nada: al permitirlos de nuevo, están como antes.",
  },
  staff: {
    heading: "Personal que no enseña",
    lead: "Los diseñadores de cursos y otras personas a quienes el LMS no llama ni docente ni estudiante pueden organizar un curso: su configuración, sesiones, personas y grabaciones. Usted decide si además ven y cambian la asistencia y las calificaciones; vale de inmediato en todos los cursos.",
    roles: {
      developer: "Diseñador de cursos (ContentDeveloper)",
      administrator: "Administrador de un curso",
      manager: "Gestor de un curso",
    },
    levels: {
      arrange: "Organizar el curso; sin asistencia ni calificaciones",
      teach: "Todo lo que pueden los docentes",
    },
  },
  save: "Guardar",
  saved:
    "Guardado. Los bloqueos valen desde ahora; donde afectan a las calificaciones, estas se están recalculando.",
  late: "Mientras tanto, otra persona cambió estos valores, así que no se ha guardado nada de lo suyo. Lo que escribió se conserva abajo; vuelva a guardar para ponerlo por encima de lo de la otra persona. Lo que ahora es distinto:",
};
