export const choose = {
  title: "Klassenzimmer zu {{course}} hinzufügen",
  heading: "Was soll der neue Link öffnen?",
  headingSeveral: "Was sollen die neuen Links öffnen?",
  leadSeveral: "Aus jeder Auswahl wird ein eigener Link.",
  course: "Das Klassenzimmer dieses Kurses",
  courseHint: "Was die meisten Kurse brauchen: Alle Links des Kurses führen in denselben Raum.",
  space: "Ein anderes Klassenzimmer",
  spaceHint: "Ein Raum, den es schon gibt. Wer den Link öffnet, gelangt dorthin.",
  sessions: "Ein einzelner Termin",
  sessionsSeveral: "Termine",
  sessionsHint:
    "Öffnet das Klassenzimmer des Kurses und kann eine eigene Spalte für die Punkte dieses Termins haben.",
  noSessions:
    "Noch ist kein Termin dieses Kurses bekannt. Termine erscheinen hier, sobald darin Anwesenheit eingetragen ist.",
  untimed: "Zeit unbekannt",
  knownSpaces: "Ihre anderen Kurse",
  noneKnown: "Keiner davon",
  spaceAddress: "Oder Adresse oder ID",
  name: "Name des Links",
  nameHint: "Ein Termin behält seinen Namen, außer Sie geben hier einen anderen ein.",
  nameHintSeveral: "Gilt, wenn Sie nur eines auswählen; mehrere Links heißen nach dem, was sie öffnen.",
  column: "Mit einer Spalte im Notenbuch",
  columnTaken:
    "Die Anwesenheit dieses Kurses hat schon eine Spalte, eine zweite bliebe leer. Für einen einzelnen Termin gilt das nicht.",
  points: "Punkte",
  pointsHint: "Eine ganze Zahl von 1 bis 100.",
  add: "Zum Kurs hinzufügen",
  cancel: "Abbrechen",
  mend: "Bitte prüfen Sie Folgendes:",
  names: { link: "Online-Klassenzimmer", session: "Termin" },
  problems: {
    nothing: "Wählen Sie, was der Link öffnen soll.",
    onlyOne: "Ihre Lernplattform nimmt hier nur einen Link auf einmal an. Wählen Sie einen aus.",
    session: "Dieser Termin gehört nicht zu Ihrem Kurs. Wählen Sie einen anderen.",
    noSpace: "Wählen Sie einen Ihrer Kurse oder geben Sie Adresse oder ID des anderen Klassenzimmers an.",
    spaceUnreadable:
      "Das ist keine Adresse eines Klassenzimmers. Fügen Sie eine ein, die mit {{folder}} beginnt, oder die ID, die darauf folgt.",
    tooLong: "Der Name ist zu lang. Höchstens 255 Zeichen sind möglich.",
    points: "Die Punkte müssen eine ganze Zahl von 1 bis 100 sein.",
  },
  back: {
    title: "Zurück zu Ihrem Kurs",
    chosen: "Ihre Auswahl wird jetzt an Ihren Kurs übergeben.",
    nothing: "Zurück zu Ihrem Kurs; es wurde nichts hinzugefügt.",
    button: "Zurück zum Kurs",
  },
  handedOver: {
    heading: "Ihre Auswahl ist unterwegs",
    lead: "Die Seite Ihrer Lernplattform übernimmt sie. Sie können dieses Fenster schließen.",
    closed: "Wenn Sie jene Seite geschlossen haben, senden Sie Ihre Auswahl von hier aus.",
  },
  notChosen: {
    heading: "Es wurde noch nichts ausgewählt",
    lead: "Wählen Sie in dem Fenster aus, das sich geöffnet hat. Machen Sie dann hier weiter.",
  },
  refused: {
    heading: "Hier lässt sich nichts hinzufügen",
    learner: "Nur Lehrende eines Kurses können einen Link zu seinem Klassenzimmer hinzufügen.",
    noLinks:
      "Ihre Lernplattform hat etwas anderes als einen Link angefordert, zum Beispiel eine Datei. Dieses Tool bietet nur Links zum Klassenzimmer.",
    nobody:
      "Ihre Lernplattform hat nicht angegeben, wer Sie sind oder welcher Kurs das ist. Deshalb kann hier kein Link angelegt werden.",
  },
  attendance: "Anwesenheit",
  opens: {
    summary: "Was dieser Link öffnet",
    now: {
      course: "Jetzt: das Klassenzimmer dieses Kurses.",
      space: "Jetzt: ein anderes Klassenzimmer, {{address}}.",
      session: "Jetzt: den Termin „{{name}}“ im Klassenzimmer dieses Kurses.",
    },
    legend: "Ab jetzt öffnet dieser Link",
    keep: "Diesen Termin, wie bisher",
    save: "Speichern",
    saved: "Gespeichert. Der Link öffnet ab jetzt, was Sie gewählt haben.",
  },
  requests: {
    heading: "Angefragte Spaces",
    open: "Wartet auf eine Antwort",
    approved: "Freigegeben: Geben Sie oben seine Adresse an, um ihn zu nutzen",
    refused: "Abgelehnt",
  },
};
