export const recordings = {
  title: "Aufzeichnungen: {{course}}",
  heading: "Aufzeichnungen",
  zone: "Zeitzone: {{zone}}.",
  empty: {
    heading: "Noch keine Aufzeichnungen",
    teaching:
      "Sie erscheinen hier etwa eine Stunde nach aufgezeichnetem Unterricht. Lernende sehen nur, was Sie veröffentlichen.",
    learning: "Wenn Ihre Lehrperson eine Aufzeichnung veröffentlicht, erscheint sie hier.",
    noSpace:
      "Das Klassenzimmer dieses Kurses wurde noch nicht geöffnet. Aufzeichnungen erscheinen hier nach dem ersten Unterricht.",
  },
  lead: {
    hidden: "Lernende sehen eine Aufzeichnung, sobald Sie sie veröffentlichen.",
    published:
      "Lernende sehen neue Aufzeichnungen, sobald sie fertig sind. Sie können jede einzelne verbergen.",
  },
  look: {
    again: "Erneut nachsehen",
    under: "Das Klassenzimmer wird gefragt. Das dauert einige Sekunden.",
    refresh: "Neues anzeigen",
    readAt: "Zuletzt gefragt: {{when}}.",
    never: "Das Klassenzimmer wurde noch nicht nach seiner Liste gefragt.",
    notOffered:
      "Dieses Klassenzimmer bietet keine abrufbare Liste der Aufzeichnungen. Sie erscheinen hier, wenn es sie meldet.",
    problem:
      "Die Liste des Klassenzimmers konnte nicht gelesen werden: {{problem}} Die Anzeige ist vielleicht nicht aktuell.",
    more: "Das Klassenzimmer hat mehr Aufzeichnungen, als hier stehen.",
    unplaced_one:
      "Das Klassenzimmer führt {{count}} Aufzeichnung auf, ohne zu sagen, aus welchem Space. Sie erscheint hier, sobald das Klassenzimmer sie meldet.",
    unplaced_other:
      "Das Klassenzimmer führt {{count}} Aufzeichnungen auf, ohne zu sagen, aus welchem Space. Sie erscheinen hier, sobald das Klassenzimmer sie meldet.",
  },
  untitled: "Aufzeichnung, {{when}}",
  sessionUntitled: "Termin, {{when}}",
  noSession: "Zu keinem geplanten Termin",
  several: "Mehrere Termine sind möglich: {{sessions}}. Geben Sie unten an, welcher es ist.",
  severalForLearners: "Zu einem dieser Termine: {{sessions}}",
  forSections: "Für {{sections}}",
  minutes_one: "{{count}} Minute",
  minutes_other: "{{count}} Minuten",
  made: "Aufgezeichnet {{when}}",
  state: {
    processing: "In Bearbeitung",
    ready: "Fertig",
    "transcript-ready": "Fertig, mit Transkript und Zusammenfassung",
    "transcript-only": "Transkript fertig; die Aufzeichnung ist noch in Bearbeitung",
    unavailable: "Aufzeichnung nicht verfügbar: Das Klassenzimmer hat sie nicht mehr",
  },
  awaited: {
    awaited:
      "Der Unterricht ist beendet. Wenn er aufgezeichnet wurde, erscheint die Aufzeichnung hier innerhalb von etwa einer Stunde.",
    "given-up":
      "Es ist keine Aufzeichnung gekommen. Wahrscheinlich wurde dieser Unterricht nicht aufgezeichnet.",
    ended: "Beendet {{when}}",
  },
  shown: {
    published: "Veröffentlicht: für Lernende sichtbar",
    hidden: "Vor Lernenden verborgen",
    undecided: "Noch nicht veröffentlicht",
  },
  open: {
    recording: "Ansehen",
    transcript: "Transkript",
    summary: "Zusammenfassung",
    recordingNamed: "{{title}} ansehen, öffnet in neuem Tab",
    transcriptNamed: "Transkript von {{title}}, öffnet in neuem Tab",
    summaryNamed: "Zusammenfassung von {{title}}, öffnet in neuem Tab",
    noAddress: "Das Klassenzimmer nennt die Adresse nicht: Öffnen Sie die Aufzeichnung im Space.",
    noTranscriptAddress:
      "Transkript und Zusammenfassung sind im Space: Das Klassenzimmer nennt ihre Adresse nicht.",
  },
  text: {
    transcriptOf: "Transkript von {{title}}",
    summaryOf: "Zusammenfassung von {{title}}",
    byItself: "Vom Klassenzimmer selbst geschrieben: Wörter und Namen können falsch sein.",
    download: "Als Textdatei herunterladen",
    cut: "Im Klassenzimmer ist der Text länger. Hier endet er nach {{number}} Zeichen.",
  },
  publish: "Veröffentlichen",
  publishNamed: "{{title}} veröffentlichen",
  hide: "Verbergen",
  hideNamed: "{{title}} vor Lernenden verbergen",
  describe: {
    open: "Titel und Termin",
    openNamed: "Titel und Termin von {{title}}",
    title: "Titel",
    titleHint: "Leer lassen, um den Titel aus dem Klassenzimmer zu verwenden.",
    session: "Termin",
    byTime: "Nach der Uhrzeit",
    none: "Kein geplanter Termin",
    save: "Titel und Termin speichern",
  },
  rule: {
    heading: "Neue Aufzeichnungen",
    hidden: "Lernende sehen sie, sobald eine Lehrperson sie veröffentlicht",
    published: "Lernende sehen sie, sobald sie fertig sind",
    hint: "Das betrifft Aufzeichnungen, die ab jetzt hinzukommen. Vorhandene bleiben, wie sie sind. Die Aufzeichnung eines Termins für bestimmte Abschnitte sehen nur diese Abschnitte.",
    save: "Speichern",
  },
  notice: {
    published: "Veröffentlicht. Lernende sehen sie jetzt.",
    hidden: "Verborgen. Lernende sehen sie nicht mehr.",
    described: "Titel und Termin sind gespeichert.",
    rule: "Gespeichert. Es gilt für Aufzeichnungen, die ab jetzt hinzukommen.",
    conflict:
      "Jemand anderes hat dies geändert, seit Sie die Seite geöffnet haben. So ist es jetzt; von Ihnen wurde nichts gespeichert.",
    unknown: "Diese Aufzeichnung oder dieser Termin gehört nicht mehr zum Kurs. Es wurde nichts gespeichert.",
  },
  page: "Seite {{page}} von {{pages}}",
  pages: "Seiten mit Aufzeichnungen",
  newer: "Neuere",
  older: "Ältere",
  leaving: {
    title: "Diese Aufzeichnung liegt woanders",
    text: "Das Klassenzimmer bewahrt diese Aufzeichnung unter {{origin}} auf, und das ist keine seiner bekannten Adressen. Öffnen Sie sie nur, wenn Sie dieser Adresse vertrauen.",
    go: "Unter {{origin}} öffnen",
    back: "Zurück zu den Aufzeichnungen",
  },
};
