export const privacy = {
  heading: "Personas y datos",
  lead: "Lo que se guarda sobre alguien puede entregarse en un archivo y borrarse.",
  search: "Buscar a una persona",
  hint: "Su identificador completo en el LMS o en el aula, o el comienzo de un nombre o del correo electrónico.",
  noLms: "Todavía no hay ningún LMS registrado, así que no se conoce a nadie.",
  notFound:
    "No se ha encontrado a nadie. Los identificadores se encuentran solo enteros, y a quien se borró ya no se le conoce.",
  more: "Solo se muestran los primeros {{number}}. Escriba más para encontrar a los demás.",
  person: "Persona",
  nameless: "Sin nombre",
  email: "Correo electrónico",
  sub: "Identificador en el LMS",
  userId: "Identificador en el aula",
  noUser: "aún ninguno",
  held: "Lo que se guarda",
  kind: "Tipo",
  count: "Registros",
  namedOnly:
    "No se cuentan los registros sobre otras personas en los que solo se la nombra, como una corrección que hizo.",
  kinds: {
    person: "La propia persona",
    memberships: "Pertenencia a cursos",
    attendance: "Asistencia",
    standings: "Sesiones que cuentan para una puntuación",
    scores: "Puntuaciones y su envío",
    courseAudit: "Cambios en cursos",
    feedback: "Opiniones sobre las clases",
    matches: "Identificaciones con usuarios del aula",
    places: "Lugares en la cola de entrada",
    logins: "Accesos obtenidos por adelantado",
    sessionsOfPages: "Sesiones de páginas de cursos",
    preparations: "Usuarios del aula por crear",
    calendars: "Direcciones de calendario",
    unmatched: "Asistencia sin identificar",
    presences: "Presencia en Spaces",
    webhooks: "Contenidos de webhooks",
    courses: "Cursos",
    other: "Otros",
  },
  export: {
    heading: "Entregar los datos",
    person:
      "Un archivo JSON con todo lo que se guarda sobre esta persona. Las demás figuran en él solo como «somebody else».",
    course:
      "Un archivo JSON con todos los registros de este curso y sus personas. El segundo archivo contiene la asistencia en una tabla.",
    button: "Descargar el archivo",
    table: "Descargar la asistencia como tabla (CSV)",
    logged: "Cada descarga se anota en la auditoría.",
  },
  erase: {
    heading: "Borrar",
    person: "Borrar a esta persona",
    personText:
      "Se borra todo lo indicado arriba, también la asistencia y las puntuaciones, y su nombre se quita de todo lo demás. No se puede deshacer.",
    course: "Borrar este curso",
    courseText:
      "Se borran todos los registros de este curso, también la asistencia y las puntuaciones de todas las personas. No se puede deshacer.",
    registration: "Desinstalar este LMS",
    registrationText:
      "El LMS se desactiva y se borran todos sus registros: personas, cursos, asistencia, puntuaciones y claves. No se puede deshacer.",
    typeId: "Para confirmar, escriba el identificador en el LMS:",
    typeTitle: "Para confirmar, escriba el curso:",
    typeName: "Para confirmar, escriba el nombre del LMS:",
    button: "Borrar definitivamente",
    uninstall: "Desinstalar definitivamente",
  },
  stays: {
    heading: "Lo que queda en otros sitios",
    person:
      "El aula conserva su propio registro de su usuario y el LMS conserva su libro de calificaciones: no se toca ninguno de los dos. Pida allí que se borren.",
    user: "En el aula es el usuario {{id}}.",
    comesBack:
      "Ni las listas de personas ni los webhooks tardíos la traen de vuelta. Si abre la herramienta por su cuenta, será una persona nueva.",
    course:
      "El Space con sus grabaciones queda en el aula; las columnas y calificaciones quedan en el LMS. El próximo acceso desde el curso empieza con un Space nuevo.",
    registration:
      "Los Spaces y usuarios quedan en el aula; las columnas y calificaciones quedan en el LMS. La entrada de la herramienta en el LMS la quita quien lo administra.",
  },
  erasures: {
    heading: "Lo que se borró",
    none: "Todavía no se ha borrado nada.",
    latest: "Se muestran los últimos {{number}}. Lo que se borró por su antigüedad no figura en la lista.",
    what: "Qué",
    state: "Estado",
    asked: "Solicitado",
    done: "Terminado",
    kinds: { person: "Una persona", course: "Un curso", registration: "Un LMS" },
    states: {
      erasing: "borrándose",
      checking: "borrado, en última revisión",
      cleaning: "borrado, se eliminan los últimos rastros del archivo de la base de datos",
      done: "borrado",
    },
    texts: {
      erasing:
        "Se está borrando. Puede salir de esta página: sigue por sí solo, también después de un reinicio.",
      checking:
        "Está borrado. Dos minutos después de cada pasada se comprueba si algo que estaba en curso volvió a escribir alguna parte.",
      cleaning:
        "Está borrado, y nada se ha vuelto a escribir. Ahora se elimina lo que los registros borrados dejan en el archivo de la base de datos; si es grande, durante la noche.",
      done: "Está borrado, y en la base de datos no queda ni un byte.",
    },
    counts: "Borrado o cambiado hasta ahora",
    nothing: "Todavía nada.",
    look: "Mirar de nuevo",
    back: "A personas y datos",
  },
};
