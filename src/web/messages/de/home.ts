export const home = {
  waiting_one: "{{count}} Person wartet vor der Tür.",
  waiting_other: "{{count}} Lernende warten vor der Tür.",
  sessions: {
    live: "Läuft gerade",
    next: "Nächster Termin",
    none: "Es ist kein Termin geplant. Mit Terminen hat das Klassenzimmer einen Zeitplan, und Anwesenheit lässt sich zählen.",
    plan: "Termine planen",
    all: "Alle Termine",
    zone: "Zeitzone: {{zone}}.",
    zoneUtc: "Zeiten sind in UTC angegeben: Für den Kurs ist noch keine Zeitzone festgelegt.",
    expectedNone: "Noch wird niemand erwartet: Die Lernplattform hat uns keine Lernenden gemeldet.",
    expected_one: "{{count}} Person wird erwartet.",
    expected_other: "{{count}} Lernende werden erwartet.",
    expectedOf_one: "{{count}} Person aus {{sections}} wird erwartet.",
    expectedOf_other: "{{count}} Lernende aus {{sections}} werden erwartet.",
    seeWho: "Anzeigen, wer",
    beenInNone: "Bisher war niemand da.",
    beenIn_one: "{{count}} Person war schon da.",
    beenIn_other: "{{count}} Personen waren schon da.",
  },
  grades: {
    heading: "Bewertungen",
    off: "In diesem Kurs gibt es für Anwesenheit keine Bewertung.",
    none: "Noch keine Bewertungen. Sie erscheinen, sobald im Klassenzimmer Anwesenheit eingetragen ist.",
    fine_one: "Die einzige Bewertung steht im Notenbuch.",
    fine_other: "Alle {{count}} Bewertungen stehen im Notenbuch.",
    wait_one: "{{count}} Bewertung ist auf dem Weg ins Notenbuch.",
    wait_other: "{{count}} Bewertungen sind auf dem Weg ins Notenbuch.",
    need_one: "{{count}} Bewertung braucht Ihre Entscheidung.",
    need_other: "{{count}} Bewertungen brauchen Ihre Entscheidung.",
    open: "Bewertungen ansehen",
    how: "So entstehen Bewertungen",
  },
  attention: {
    heading: "Zu erledigen",
    none: "Es gibt nichts zu erledigen.",
    noTime: "Zeit unbekannt",
    event: "Termin",
    cohort: "Kohorte",
    recording: "Termin",
    items: {
      "event-no-show_one": "Zu „{{name}}“ ist niemand gekommen ({{when}}).",
      "event-no-show_other": "Zu {{count}} Terminen ist niemand gekommen.",
      "event-declined_one": "Eine Lehrperson hat „{{name}}“ ({{when}}) im Klassenzimmer abgelehnt.",
      "event-declined_other": "Lehrende haben {{count}} Termine im Klassenzimmer abgelehnt.",
      "scores-overdue_one":
        "{{count}} Bewertung ist schon zu lange unterwegs. Es wird von selbst erneut versucht; wenn es so bleibt, wenden Sie sich an Ihre Administration.",
      "scores-overdue_other":
        "{{count}} Bewertungen sind unterwegs, die älteste schon zu lange. Es wird von selbst erneut versucht; wenn es so bleibt, wenden Sie sich an Ihre Administration.",
      "scores-refused_one": "{{count}} Bewertung hat das Notenbuch nicht angenommen.",
      "scores-refused_other": "{{count}} Bewertungen hat das Notenbuch nicht angenommen.",
      "scores-held_one": "{{count}} Bewertung wurde im Notenbuch geändert. Entscheiden Sie, welche gilt.",
      "scores-held_other":
        "{{count}} Bewertungen wurden im Notenbuch geändert. Entscheiden Sie, welche gelten.",
      "cohort-deleted_one":
        "Die Kohorte „{{name}}“ wurde im Klassenzimmer gelöscht; ihr Abschnitt ist noch mit ihr verknüpft.",
      "cohort-deleted_other":
        "{{count}} Kohorten wurden im Klassenzimmer gelöscht; ihre Abschnitte sind noch mit ihnen verknüpft.",
      "sessions-stuck_one": "{{count}} Termin konnte im Klassenzimmer nicht angelegt oder geändert werden.",
      "sessions-stuck_other":
        "{{count}} Termine konnten im Klassenzimmer nicht angelegt oder geändert werden.",
      unmatched_one: "Das Klassenzimmer nennt eine Person oder einen Termin, die dieser Kurs nicht kennt.",
      unmatched_other:
        "Das Klassenzimmer nennt {{count}} Personen oder Termine, die dieser Kurs nicht kennt.",
      "column-missing":
        "Eine Spalte, an die Bewertungen gehen, wurde aus dem Notenbuch entfernt. Es wird nichts an sie gesendet, bis Sie sagen, was werden soll.",
      "roster-unreadable": "Die Personenliste Ihrer Lernplattform konnte nicht gelesen werden.",
      "alert-other_one": "Das Control Center des Klassenzimmers hat eine Meldung zu „{{name}}“ ({{when}}).",
      "alert-other_other":
        "Das Control Center des Klassenzimmers hat {{count}} Meldungen zu Terminen dieses Kurses.",
      "space-refused":
        "Der Space dieses Kurses ist nicht für ihn freigegeben oder wurde geschlossen: Niemand kann hinein.",
      "space-not-own":
        "Ihre Einrichtung erlaubt nur Spaces, die für ihre Kurse angelegt wurden, und dieser Kurs hat einen anderen: Niemand kann hinein.",
      "space-elsewhere":
        "Der Space dieses Kurses liegt laut Klassenraum-Dienst unter {{name}}, wohin dieses Tool niemanden schickt: Niemand kann hinein, bis der Betrieb dieses Tools das geklärt hat. Der Space bleibt erhalten.",
      "invited-only":
        "Der Space lässt nur eingeladene Personen ein: Wer dort nicht eingeladen ist, kommt nicht hinein.",
      "recordings-ready_one":
        "Die Aufzeichnung von „{{name}}“ ({{when}}) ist fertig. Lernende sehen sie noch nicht.",
      "recordings-ready_other": "{{count}} Aufzeichnungen sind fertig. Lernende sehen sie noch nicht.",
      "set-up": "Die ersten Fragen zu diesem Kurs sind noch offen; bis dahin bleibt er, wie er ist.",
    },
    acts: {
      "column-missing": "Entscheiden",
      "event-no-show": "Meldung ansehen",
      "event-declined": "Meldung ansehen",
      "scores-overdue": "Offene ansehen",
      "scores-refused": "Welche?",
      "scores-held": "Entscheiden",
      "cohort-deleted": "Kohorten ansehen",
      "sessions-stuck": "Termine ansehen",
      unmatched: "Zuordnen",
      "roster-unreadable": "Grund ansehen",
      "alert-other": "Meldung ansehen",
      "space-refused": "Anderen Space wählen",
      "space-not-own": "Eigenen Space geben",
      "space-elsewhere": "Space ansehen",
      "invited-only": "Wen einladen?",
      "recordings-ready": "Aufzeichnungen ansehen",
      "set-up": "Beantworten",
    },
  },
  news: {
    saved: "Gespeichert. All das und mehr können Sie in den Einstellungen ändern.",
    later:
      "In Ordnung. Die Fragen stehen unten auf dieser Seite, wenn Sie sie brauchen; bis dahin bleibt alles, wie es ist.",
  },
  more: "Mehr",
  feedback: "Feedback nach dem Unterricht",
  setUp: "Erste Fragen",
};
