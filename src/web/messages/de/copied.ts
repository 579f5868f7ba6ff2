export const copied = {
  heading: "Dieser Kurs wurde von {{source}} kopiert",
  question:
    "Sollen dessen Einstellungen hier gelten? Das Klassenzimmer selbst ist neu: Weder Personen noch Bewertungen wurden übernommen.",
  same: "Dessen Einstellungen sind dieselben wie hier, es gibt also nichts zu entscheiden. Das Klassenzimmer ist neu: Weder Personen noch Bewertungen wurden übernommen.",
  changes: "Was sich ändern würde:",
  take: "Diese Einstellungen verwenden",
  decline: "Neu beginnen",
  understood: "In Ordnung",
  answered: {
    taken: "In diesem Kurs gelten jetzt die Einstellungen des Kurses, von dem er kopiert wurde.",
    declined: "Dieser Kurs behält seine eigenen Einstellungen.",
    late: "Diese Frage wurde schon beantwortet.",
  },
  settings: {
    mode: {
      tab: "Das Klassenzimmer wird in einem neuen Tab geöffnet.",
      embedded: "Das Klassenzimmer wird auf der Kursseite angezeigt.",
    },
    startCall: {
      true: "Die Videokonferenz startet mit der ersten Lehrperson.",
      false: "Die Videokonferenz startet nicht von selbst.",
    },
    startCallForEveryone: {
      true: "Die Videokonferenz startet, sobald jemand da ist.",
      false: "Nur Lehrende starten die Videokonferenz.",
    },
    skipDeviceSetup: {
      true: "Man tritt ohne Prüfung von Kamera und Mikrofon ein; beide sind ausgeschaltet.",
      false: "Man prüft Kamera und Mikrofon vor dem Eintreten.",
    },
    galleryView: {
      true: "Das Klassenzimmer beginnt mit der Galerieansicht.",
      false: "Das Klassenzimmer beginnt nicht mit der Galerieansicht.",
    },
    standalone: {
      true: "Aus dem Klassenzimmer führt kein Weg in andere Räume.",
      false: "Wege aus dem Klassenzimmer in andere Räume werden angezeigt.",
    },
    startLocalRecording: {
      true: "Die Aufzeichnung beginnt mit der Videokonferenz, wo der Browser aufzeichnen kann.",
      false: "Die Aufzeichnung beginnt nicht von selbst.",
    },
  },
  language: {
    lms: "Die Sprache des Klassenzimmers richtet sich nach der Lernplattform.",
    classroom: "Das Klassenzimmer entscheidet über seine Sprache.",
    other: "Die Sprache des Klassenzimmers ist {{language}}.",
  },
  door: {
    always: "Lernende können jederzeit eintreten.",
    aroundSessions:
      "Lernende können von {{before}} Minuten vor einem Termin bis {{after}} Minuten danach eintreten.",
  },
  noGrades: "Für Anwesenheit gibt es keine Bewertung.",
  columns: {
    course: "Es gibt eine Bewertung für alle Termine zusammen.",
    session: "Jeder Termin hat eine eigene Bewertung, und für alle zusammen gibt es keine.",
  },
  denominator: {
    "so-far": "Die Bewertung ist der Durchschnitt der bisherigen Termine.",
    planned: "Die Bewertung wird durch alle geplanten Termine geteilt, auch die bevorstehenden.",
    fixed_one: "Die Bewertung wird durch {{count}} Termin geteilt.",
    fixed_other:
      "Die Bewertung wird durch {{count}} Termine geteilt, unabhängig davon, wie viele stattfinden.",
  },
  dropLowest_one: "Der schlechteste Termin jeder Person wird bei der Bewertung ausgelassen.",
  dropLowest_other: "Die {{count}} schlechtesten Termine jeder Person werden bei der Bewertung ausgelassen.",
  dropsNone: "Kein Termin wird ausgelassen, weil er der schlechteste einer Person ist.",
  minimum_one: "Eine Bewertung gibt es ab dem ersten Termin, der zählt.",
  minimum_other: "Eine Bewertung gibt es erst ab {{count}} Terminen, die zählen.",
  points: "Die Bewertung für Anwesenheit hat {{points}} Punkte.",
  credit: {
    PRESENT: "„Anwesend“ zählt {{percent}} %.",
    LATE: "„Verspätet“ zählt {{percent}} %.",
    ABSENT: "„Fehlt“ zählt {{percent}} %.",
    EXCUSED: "„Entschuldigt“ zählt {{percent}} %.",
  },
  leftOut: {
    PRESENT: "Termine mit „Anwesend“ werden bei der Bewertung ausgelassen.",
    LATE: "Termine mit „Verspätet“ werden bei der Bewertung ausgelassen.",
    ABSENT: "Termine mit „Fehlt“ werden bei der Bewertung ausgelassen.",
    EXCUSED: "Termine mit „Entschuldigt“ werden bei der Bewertung ausgelassen.",
  },
  comment: {
    true: "Im Notenbuch steht neben der Bewertung, wie sie entstanden ist.",
    false: "Im Notenbuch steht nichts neben der Bewertung.",
  },
};
