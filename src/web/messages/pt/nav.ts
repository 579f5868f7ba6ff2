export const nav = {
  label: "Páginas desta sala de aula",
  home: "Sala de aula",
  sessions: "Sessões",
  attendance: "Presença",
  grades: "Notas",
  recordings: "Gravações",
  people: "Pessoas",
  settings: "Configurações",
  mine: "Minha presença",
};
