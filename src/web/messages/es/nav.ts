/** The areas of a course's pages. */
export const nav = {
  label: "Páginas de esta aula",
  home: "Aula",
  sessions: "Sesiones",
  attendance: "Asistencia",
  grades: "Calificaciones",
  recordings: "Grabaciones",
  people: "Personas",
  settings: "Configuración",
  mine: "Mi asistencia",
};
