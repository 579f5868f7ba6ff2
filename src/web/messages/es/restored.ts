export const restored = {
  text: "Los datos de esta herramienta se recuperaron de una copia de seguridad el {{when}}. Lo ocurrido entre el {{backup}} y ese momento solo se conoce hasta donde lo dicen el aula y el libro de calificaciones.",
  textUnknown:
    "Los datos de esta herramienta se recuperaron de una copia de seguridad el {{when}}. Lo ocurrido entre la copia y ese momento solo se conoce hasta donde lo dicen el aula y el libro de calificaciones.",
  stillToCompare:
    "Pendientes de comparar con el libro de calificaciones: {{number}}. Mientras tanto no se envía ninguna de ellas.",
  different: "Calificaciones que difieren del libro de calificaciones: {{number}}.",
  unread: "No se pudo leer el libro de calificaciones para {{number}}; se muestran como están en la copia.",
  open: "Ver las diferencias",
  title: "Diferencias con el libro de calificaciones: {{course}}",
  heading: "Calificaciones que difieren del libro de calificaciones",
  lead: "Cada una puede ser de un docente o haberse enviado desde aquí después de la copia. No se envía nada encima hasta que usted decida.",
  attendance:
    "La asistencia se vuelve a leer del aula; una calificación que entonces resulte igual que en el libro sale sola de esta lista.",
  choose: "Elegir a {{name}}",
  ours: "La nuestra",
  sendChosen: "Enviar la nuestra para las elegidas",
  keepChosen: "Conservar la del libro para las elegidas",
  sendAll: "Enviar la nuestra para todas",
  keepAll: "Conservar la del libro para todas",
  keepHint:
    "Una calificación conservada se queda como está, aunque la asistencia cambie después, hasta que envíe la nuestra.",
  none: "Ninguna calificación difiere.",
  nothingChosen: "No se eligió nada. Elija primero calificaciones en la lista.",
  decided: "Decididas: {{number}}. Abajo ve lo que queda.",
  back: "Todas las calificaciones",
  whyDiffers:
    "Los datos se recuperaron de una copia de seguridad y el libro tiene {{theirs}}: una calificación de un docente o una nuestra posterior. No se envía nada encima hasta que un docente lo diga.",
  whyEmpty:
    "Los datos se recuperaron de una copia de seguridad y el libro ya no tiene calificación. No se envía nada hasta que un docente lo diga.",
  values: "La nuestra: {{ours}}; en el libro: {{theirs}}, vista el {{when}}.",
  valuesEmpty: "La nuestra: {{ours}}; en el libro, ninguna, visto el {{when}}.",
  keep: "Conservar la del libro",
  keepLabel: "Conservar la calificación del libro para {{name}}",
  consoleHeading: "Después de una restauración",
  consoleLead:
    "La base de datos se recuperó de una copia de seguridad. Cada calificación se compara con su libro antes de enviar nada; donde difiere, decide un docente del curso en su página de calificaciones.",
  consoleNone: "Ningún curso tiene calificaciones por comparar o que difieran.",
  course: "Curso",
  scores: "Calificaciones",
  since: "Restaurada",
  more: "Se muestran los {{number}} cursos con más.",
};
