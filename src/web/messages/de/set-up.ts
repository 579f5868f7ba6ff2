export const setUp = {
  title: "Einrichten: {{course}}",
  heading: "Drei Fragen für den Anfang",
  lead: "Alles funktioniert bereits; die Auswahl unten zeigt, wie es jetzt ist. Sie können sie jederzeit in den Einstellungen ändern.",
  grading: {
    legend: "1. Zählt Anwesenheit zur Bewertung?",
    "one-column": "Ja, eine Bewertung für alle Termine zusammen",
    "column-per-session": "Ja, eine Bewertung pro Termin",
    "no-grades": "Nein, Anwesenheit wird nur festgehalten",
    example:
      "Anwesend, anwesend, verspätet ergibt {{sum}} von {{points}} Punkten. Entschuldigte Termine werden ausgelassen.",
  },
  mode: {
    legend: "2. Wie kommt man hinein?",
    tab: "In einem neuen Tab",
    embedded: "Auf der Kursseite",
    hints: {
      tab: "Am zuverlässigsten: Kamera und Mikrofon funktionieren.",
      embedded:
        "Wo die Seite Kamera oder Mikrofon nicht nutzen darf, wird stattdessen ein neuer Tab angeboten.",
    },
  },
  start: {
    legend: "Dürfen Lernende die Videokonferenz starten?",
    no: "Nein, sie beginnt mit der ersten Lehrperson",
    yes: "Ja, sie beginnt, sobald jemand da ist",
  },
  opens: {
    legend: "3. Wann dürfen Lernende hinein?",
    always: "Jederzeit",
    "around-sessions":
      "Nur rund um geplante Termine: von {{before}} Minuten davor bis {{after}} Minuten danach. Solange kein Termin geplant ist, jederzeit.",
  },
  locked: "von Ihrer Einrichtung festgelegt",
  save: "Antworten speichern",
  later: "Später entscheiden",
  conflict:
    "Inzwischen hat jemand anderes die Einstellungen geändert. Ihre Auswahl steht unverändert unten; prüfen Sie sie und speichern Sie noch einmal.",
};
