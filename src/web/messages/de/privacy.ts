export const privacy = {
  heading: "Personen und Daten",
  lead: "Was über jemanden gespeichert ist, lässt sich als Datei herausgeben und löschen.",
  search: "Person suchen",
  hint: "Die ganze Benutzer-ID im LMS oder im Klassenzimmer, oder der Anfang eines Namens oder der E-Mail-Adresse.",
  noLms: "Noch ist kein LMS registriert, also ist niemand bekannt.",
  notFound:
    "Niemand gefunden. IDs werden nur als Ganzes gefunden, und wer gelöscht wurde, ist nicht mehr bekannt.",
  more: "Nur die ersten {{number}} werden gezeigt. Geben Sie mehr ein, um die anderen zu finden.",
  person: "Person",
  nameless: "Ohne Namen",
  email: "E-Mail-Adresse",
  sub: "Benutzer-ID im LMS",
  userId: "Benutzer-ID im Klassenzimmer",
  noUser: "noch keine",
  held: "Was gespeichert ist",
  kind: "Art",
  count: "Einträge",
  namedOnly:
    "Nicht gezählt wird, wo jemand in einem Eintrag über andere nur genannt ist, etwa mit einer vorgenommenen Korrektur.",
  kinds: {
    person: "Die Person selbst",
    memberships: "Zugehörigkeit zu Kursen",
    attendance: "Anwesenheit",
    standings: "Termine, die für eine Bewertung zählen",
    scores: "Bewertungen und ihr Versand",
    courseAudit: "Änderungen in Kursen",
    feedback: "Rückmeldungen zu Terminen",
    matches: "Zuordnungen zu Klassenzimmer-Konten",
    places: "Plätze in der Schlange vor der Tür",
    logins: "Im Voraus geholte Anmeldungen",
    sessionsOfPages: "Sitzungen auf Kursseiten",
    preparations: "Anzulegende Klassenzimmer-Konten",
    calendars: "Kalenderadressen",
    unmatched: "Nicht zugeordnete Anwesenheit",
    presences: "Aufenthalte in Spaces",
    webhooks: "Inhalte von Webhooks",
    courses: "Kurse",
    other: "Anderes",
  },
  export: {
    heading: "Herausgeben",
    person:
      "Eine JSON-Datei mit allem, was über diese Person gespeichert ist. Andere kommen darin nur als „somebody else“ vor.",
    course:
      "Eine JSON-Datei mit allen Einträgen dieses Kurses und seinen Personen. Die zweite Datei enthält die Anwesenheit als Tabelle.",
    button: "Datei herunterladen",
    table: "Anwesenheit als Tabelle herunterladen (CSV)",
    logged: "Jedes Herunterladen wird im Protokoll vermerkt.",
  },
  erase: {
    heading: "Löschen",
    person: "Diese Person löschen",
    personText:
      "Alles oben Genannte wird gelöscht, auch Anwesenheit und Bewertungen, und der Name wird aus allem anderen entfernt. Das lässt sich nicht rückgängig machen.",
    course: "Diesen Kurs löschen",
    courseText:
      "Alle Einträge dieses Kurses werden gelöscht, auch Anwesenheit und Bewertungen aller Personen. Das lässt sich nicht rückgängig machen.",
    registration: "Dieses LMS deinstallieren",
    registrationText:
      "Das LMS wird ausgeschaltet, und alle seine Einträge werden gelöscht: Personen, Kurse, Anwesenheit, Bewertungen und Schlüssel. Das lässt sich nicht rückgängig machen.",
    typeId: "Geben Sie zur Bestätigung die Benutzer-ID im LMS ein:",
    typeTitle: "Geben Sie zur Bestätigung den Kurs ein:",
    typeName: "Geben Sie zur Bestätigung den Namen des LMS ein:",
    button: "Endgültig löschen",
    uninstall: "Endgültig deinstallieren",
  },
  stays: {
    heading: "Was anderswo bleibt",
    person:
      "Das Klassenzimmer behält seinen eigenen Eintrag des Kontos, und das LMS behält sein Notenbuch: Beides bleibt unberührt. Lassen Sie es dort löschen.",
    user: "Im Klassenzimmer ist es das Konto {{id}}.",
    comesBack:
      "Personenlisten und verspätete Webhooks bringen die Person nicht zurück. Öffnet sie das Tool selbst, ist sie jemand Neues.",
    course:
      "Der Space mit seinen Aufzeichnungen bleibt im Klassenzimmer, Spalten und Bewertungen bleiben im LMS. Der nächste Aufruf aus dem Kurs beginnt mit einem neuen Space.",
    registration:
      "Spaces und Konten bleiben im Klassenzimmer, Spalten und Bewertungen bleiben im LMS. Den Eintrag des Tools im LMS entfernt dessen Administration.",
  },
  erasures: {
    heading: "Was gelöscht wurde",
    none: "Noch wurde nichts gelöscht.",
    latest:
      "Gezeigt werden die letzten {{number}}. Was wegen seines Alters gelöscht wurde, steht nicht in der Liste.",
    what: "Was",
    state: "Stand",
    asked: "Verlangt",
    done: "Beendet",
    kinds: { person: "Eine Person", course: "Ein Kurs", registration: "Ein LMS" },
    states: {
      erasing: "wird gelöscht",
      checking: "gelöscht, wird noch einmal durchgesehen",
      cleaning: "gelöscht, letzte Spuren werden aus der Datenbankdatei entfernt",
      done: "gelöscht",
    },
    texts: {
      erasing:
        "Das Löschen läuft. Sie können diese Seite verlassen: Es geht von selbst weiter, auch nach einem Neustart.",
      checking:
        "Alles ist gelöscht. Zwei Minuten nach einem Durchgang wird nachgesehen, ob ein laufender Vorgang etwas davon noch einmal geschrieben hat.",
      cleaning:
        "Alles ist gelöscht, und nichts davon wurde noch einmal geschrieben. Was gelöschte Einträge in der Datenbankdatei zurücklassen, wird jetzt entfernt, bei einer großen Datenbank in der Nacht.",
      done: "Alles ist gelöscht, und in der Datenbank ist kein Byte davon geblieben.",
    },
    counts: "Bisher gelöscht oder geändert",
    nothing: "Noch nichts.",
    look: "Noch einmal nachsehen",
    back: "Zu Personen und Daten",
  },
};
