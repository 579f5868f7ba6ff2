export const nav = {
  label: "Pages de cette classe virtuelle",
  home: "Accueil",
  sessions: "Séances",
  attendance: "Présences",
  grades: "Notes",
  recordings: "Enregistrements",
  people: "Participants",
  settings: "Paramètres",
  mine: "Mes présences",
};
