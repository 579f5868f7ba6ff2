/** Recordings of a course: those that exist, are expected or are published. */
export const recordings = {
  title: "Grabaciones: {{course}}",
  heading: "Grabaciones",
  zone: "Las horas son las de {{zone}}.",
  empty: {
    heading: "Aún no hay grabaciones",
    teaching:
      "Aparecen aquí alrededor de una hora después de una clase grabada. Los estudiantes ven las que usted publique.",
    learning: "Cuando su docente publique la grabación de una clase, aparecerá aquí.",
    noSpace:
      "El aula de este curso todavía no se ha abierto. Las grabaciones aparecerán aquí después de la primera clase.",
  },
  lead: {
    hidden: "Los estudiantes ven una grabación cuando usted la publica.",
    published: "Los estudiantes ven las grabaciones nuevas en cuanto están listas. Puede ocultar cualquiera.",
  },
  look: {
    again: "Comprobar de nuevo",
    under: "Estamos consultando al aula. Tarda unos segundos.",
    refresh: "Mostrar lo que ha llegado",
    readAt: "Última consulta: {{when}}.",
    never: "Todavía no se ha pedido la lista al aula.",
    notOffered:
      "Esta aula no tiene una lista de grabaciones que se pueda pedir. Aparecen aquí cuando ella las comunica.",
    problem:
      "No se pudo leer la lista del aula: {{problem}} Es posible que lo que se muestra no esté al día.",
    more: "El aula tiene más grabaciones de las que se muestran aquí.",
    unplaced_one:
      "El aula tiene {{count}} grabación en su lista sin indicar de qué Space es. Aparecerá aquí cuando el aula la comunique.",
    unplaced_many:
      "El aula tiene {{count}} de grabaciones en su lista sin indicar de qué Space son. Aparecerán aquí cuando el aula las comunique.",
    unplaced_other:
      "El aula tiene {{count}} grabaciones en su lista sin indicar de qué Space son. Aparecerán aquí cuando el aula las comunique.",
  },
  untitled: "Grabación del {{when}}",
  sessionUntitled: "Sesión del {{when}}",
  noSession: "Fuera de las sesiones programadas",
  several: "Hay varias sesiones posibles: {{sessions}}. Indique abajo cuál es.",
  severalForLearners: "De una de estas sesiones: {{sessions}}",
  forSections: "Para {{sections}}",
  minutes_one: "{{count}} minuto",
  minutes_many: "{{count}} de minutos",
  minutes_other: "{{count}} minutos",
  made: "Grabada el {{when}}",
  state: {
    processing: "En proceso",
    ready: "Lista",
    "transcript-ready": "Lista, con transcripción y resumen",
    "transcript-only": "Transcripción lista; la grabación sigue en proceso",
    unavailable: "Grabación no disponible: el aula ya no la tiene",
  },
  awaited: {
    awaited: "La clase ha terminado. Si se grabó, la grabación aparecerá aquí en alrededor de una hora.",
    "given-up": "No ha llegado ninguna grabación. Lo más probable es que esta clase no se grabara.",
    ended: "Terminó el {{when}}",
  },
  shown: {
    published: "Publicada: los estudiantes la ven",
    hidden: "Oculta para los estudiantes",
    undecided: "Sin publicar todavía",
  },
  open: {
    recording: "Ver",
    transcript: "Transcripción",
    summary: "Resumen",
    recordingNamed: "Ver {{title}}, se abre en una pestaña nueva",
    transcriptNamed: "Transcripción de {{title}}, se abre en una pestaña nueva",
    summaryNamed: "Resumen de {{title}}, se abre en una pestaña nueva",
    noAddress: "El aula no indica su dirección: ábrala en el Space.",
    noTranscriptAddress: "La transcripción y el resumen están en el Space: el aula no indica su dirección.",
  },
  publish: "Publicar",
  publishNamed: "Publicar {{title}}",
  hide: "Ocultar",
  hideNamed: "Ocultar {{title}} a los estudiantes",
  describe: {
    open: "Título y sesión",
    openNamed: "Título y sesión de {{title}}",
    title: "Título",
    titleHint: "Déjelo vacío para usar el del aula.",
    session: "Sesión",
    byTime: "Según su hora",
    none: "Ninguna sesión programada",
    save: "Guardar título y sesión",
  },
  rule: {
    heading: "Grabaciones nuevas",
    hidden: "Los estudiantes las ven cuando un docente las publica",
    published: "Los estudiantes las ven en cuanto están listas",
    hint: "Se refiere a las grabaciones que lleguen desde ahora. Las que ya están se quedan como están. Una grabación de una sesión para algunas secciones solo la ven esas secciones.",
    save: "Guardar",
  },
  notice: {
    published: "Publicada. Los estudiantes ya la ven.",
    hidden: "Oculta. Los estudiantes ya no la ven.",
    described: "El título y la sesión se han guardado.",
    rule: "Guardado. Vale para las grabaciones que lleguen desde ahora.",
    conflict:
      "Otra persona lo cambió después de que usted abriera la página. Así está ahora; no se ha guardado nada de lo suyo.",
    unknown: "Esta grabación o sesión ya no es del curso. No se ha guardado nada.",
  },
  page: "Página {{page}} de {{pages}}",
  pages: "Páginas de grabaciones",
  newer: "Más recientes",
  older: "Más antiguas",
  leaving: {
    title: "Esta grabación está en otro sitio",
    text: "El aula guarda esta grabación en {{origin}}, que no es una de sus direcciones conocidas. Ábrala solo si confía en ese sitio.",
    go: "Abrir en {{origin}}",
    back: "Volver a las grabaciones",
  },
};
