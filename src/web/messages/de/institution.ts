export const institution = {
  heading: "Vorgaben für die Kurse von {{name}}",
  open: "Vorgaben für Kurse",
  openLead: "Womit Kurse dieses LMS beginnen und was Lehrende nicht ändern können.",
  back: "Zurück zum LMS",
  lead: "Für jeden Wert können Sie nichts, einen Standard oder eine Sperre festlegen.",
  means: {
    default:
      "Mit einem Standard beginnen neue Kurse, und auf ihn setzen Lehrende ihre Einstellungen zurück. Bestehende Kurse behalten, was sie haben.",
    locked_one:
      "Eine Sperre gilt sofort in jedem Kurs, auch im schon bestehenden, und hat Vorrang vor dem, was für einzelne Links gewählt ist. Lehrende sehen den Wert und können ihn nicht ändern. Wenn Sie die Sperre aufheben, gilt wieder der eigene Wert des Kurses.",
    locked_other:
      "Eine Sperre gilt sofort in jedem Kurs, auch in den {{count}} schon bestehenden, und hat Vorrang vor dem, was für einzelne Links gewählt ist. Lehrende sehen den Wert und können ihn nicht ändern. Wenn Sie die Sperre aufheben, gilt wieder der eigene Wert des Kurses.",
    grades:
      "Wenn Sie etwas zu Bewertungen sperren, werden die Bewertungen aller Kurse neu berechnet und an ihre Notenbücher gesendet. Bewertungen, die Lehrende dort von Hand geändert haben, bleiben unberührt, wo das LMS sie mitteilt.",
  },
  states: {
    unset: "Nicht festgelegt",
    default: "Standard: Lehrende dürfen ihn ändern",
    locked: "Gesperrt: Lehrende können ihn nicht ändern",
  },
  stateOf: "{{rule}}: wie festgelegt",
  value: "Wert",
  groups: {
    entering: "Eintreten",
    space: "Wie Spaces angelegt werden",
    door: "Wann Lernende eintreten können",
    grades: "So entstehen Bewertungen",
  },
  rules: {
    mode: "Wo das Klassenzimmer geöffnet wird",
    call: "Videokonferenz startet von selbst",
    skipDeviceSetup: "Prüfung von Kamera und Mikrofon überspringen",
    galleryView: "Mit der Galerieansicht beginnen",
    standalone: "Wege aus dem Klassenzimmer ausblenden",
    language: "Sprache des Klassenzimmers",
    startLocalRecording: "Aufzeichnung beginnt mit der Videokonferenz",
    newSpace: "Zugang und Warteraum neuer Spaces",
    doorTimes: "Das Klassenzimmer ist geöffnet",
    kind: "Bewertungen im Notenbuch",
    points: "Höchstpunktzahl",
    credit: "Was ein Termin einbringt",
    denominator: "Wodurch geteilt wird",
    dropLowest: "Schlechteste Termine, die nicht zählen",
    minimumSessions: "Bewertung ab wie vielen Terminen",
    comment: "Erklärung im Notenbuch",
  },
  spaces: {
    label: "Welche Spaces Kurse nutzen dürfen",
    approved: "Eigene und andere, die freigegeben wurden",
    own: "Nur Spaces, die für Kurse dieses LMS angelegt wurden",
    hint: "Mit „Nur“ werden andere Spaces weder verknüpft noch betreten, auch freigegebene nicht, und niemand kann sie anfragen. Nichts wird gelöscht: Wieder erlaubt, sind sie wie zuvor.",
  },
  staff: {
    heading: "Personal, das nicht unterrichtet",
    lead: "Kursdesigner und andere, die die Lernplattform weder Lehrende noch Studierende nennt, dürfen einen Kurs einrichten: Einstellungen, Termine, Personen und Aufzeichnungen. Ob sie auch Anwesenheit und Bewertungen sehen und ändern, bestimmen Sie; es gilt sofort in allen Kursen.",
    roles: {
      developer: "Kursdesigner (ContentDeveloper)",
      administrator: "Administrator eines Kurses",
      manager: "Manager eines Kurses",
    },
    levels: {
      arrange: "Kurs einrichten; keine Anwesenheit, keine Bewertungen",
      teach: "Alles, was Lehrende dürfen",
    },
  },
  save: "Speichern",
  saved: "Gespeichert. Sperren gelten ab jetzt; wo Bewertungen davon abhängen, werden sie neu berechnet.",
  late: "Inzwischen hat jemand anderes diese Werte geändert, deshalb ist von Ihnen nichts gespeichert. Ihre Eingabe steht unten; speichern Sie noch einmal, damit sie gilt. Was jetzt anders ist:",
};
