/** The first questions about a course. */
export const setUp = {
  title: "Primeros pasos: {{course}}",
  heading: "Tres preguntas para empezar",
  lead: "Todo funciona ya; lo que aparece marcado es lo que hay ahora. Puede cambiarlo cuando quiera en la configuración.",
  grading: {
    legend: "1. ¿La asistencia cuenta para la calificación?",
    "one-column": "Sí, una calificación para todas las sesiones juntas",
    "column-per-session": "Sí, una calificación por cada sesión",
    "no-grades": "No, la asistencia solo se registra",
    example:
      "Presente, presente y tarde dan {{sum}} de {{points}} puntos. Las sesiones con falta justificada se excluyen.",
  },
  mode: {
    legend: "2. ¿Cómo se entra?",
    tab: "En una pestaña nueva",
    embedded: "Dentro de la página del curso",
    hints: {
      tab: "Lo más fiable: la cámara y el micrófono funcionan.",
      embedded: "Si la página no obtiene cámara o micrófono, se ofrece una pestaña nueva.",
    },
  },
  start: {
    legend: "¿Los estudiantes pueden iniciar la llamada?",
    no: "No, empieza cuando entra el primer docente",
    yes: "Sí, empieza con quien llegue primero",
  },
  opens: {
    legend: "3. ¿Cuándo pueden entrar los estudiantes?",
    always: "En cualquier momento",
    "around-sessions":
      "Solo en torno a las sesiones programadas: desde {{before}} minutos antes hasta {{after}} minutos después. Si no hay ninguna programada, en cualquier momento.",
  },
  locked: "lo fija su institución",
  save: "Guardar respuestas",
  later: "Decidir más tarde",
  conflict:
    "Mientras tanto, otra persona cambió la configuración. Lo que usted eligió se conserva abajo; revíselo y vuelva a guardar.",
};
