export const nav = {
  label: "Seiten dieses Klassenzimmers",
  home: "Klassenzimmer",
  sessions: "Termine",
  attendance: "Anwesenheit",
  grades: "Bewertungen",
  recordings: "Aufzeichnungen",
  people: "Personen",
  settings: "Einstellungen",
  mine: "Meine Anwesenheit",
};
