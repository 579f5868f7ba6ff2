/** The page before a closed door, and what people are told of a Space that does not let everybody in. */
export const door = {
  title: "{{course}}: aula en línea",
  early: {
    heading: "El aula todavía no está abierta",
    opens: "Abre:",
    opensAt: "Abre hoy:",
    lead: "Esta página continúa sola cuando se abra; puede dejarla abierta.",
    leadLong: "Vuelva entonces desde el enlace de su curso.",
    now: "El aula está abierta.",
    button: "Entrar al aula",
    units: { days: "d", hours: "h", minutes: "min", seconds: "s" },
    left: "Abre dentro de",
  },
  over: {
    heading: "Esta sesión ha terminado",
    lead: "Este enlace era para una sola sesión, que ya ha terminado. Es posible que su curso tenga un enlace a la siguiente.",
  },
  cancelled: {
    heading: "Esta sesión se canceló",
    lead: "Este enlace era para una sola sesión, que se canceló. Pregunte a su docente cuándo será la próxima.",
  },
  deleted: {
    heading: "Esta sesión se eliminó",
    lead: "Este enlace era para una sola sesión, que ya no existe. Pregunte a su docente cuándo será la próxima.",
  },
  otherSections: {
    heading: "Esta aula es para otros grupos",
    lead: "Su docente la ha abierto solo para:",
    own: "En el LMS usted está en: {{sections}}.",
    none: "En el LMS usted aún no está en ningún grupo.",
    yours:
      "Si pertenece a uno de ellos, pida a su docente que le incluya en el LMS y vuelva a abrir el enlace de su curso.",
  },
  notSetUp: {
    heading: "El aula todavía no está lista",
    lead: "Aún no está conectada del todo con su curso, así que nadie puede entrar. Avise a su docente, que puede consultarlo con quien administra el LMS. Usted no ha hecho nada mal.",
  },
  again: "Comprobar de nuevo",
  access: {
    "waiting-room":
      "Esta aula tiene sala de espera: alguien con el papel de anfitrión le dejará entrar. Hasta entonces, no cierre esa página.",
    "invited-only":
      "En esta aula solo pueden entrar las personas de su lista de invitados. Si no puede entrar, pida a su docente que le añada.",
  },
};
