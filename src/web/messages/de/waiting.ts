export const waiting = {
  heading: "Sie stehen in der Warteschlange",
  lead: "Alle werden der Reihe nach eingelassen. Sie kommen automatisch hinein und müssen nichts weiter tun.",
  keepOpen:
    "Lassen Sie diese Seite offen. Sie können inzwischen andere Seiten ansehen: Ihr Platz bleibt erhalten, und dieser Tab zeigt, wenn Sie an der Reihe sind.",
  next: "Sie sind als Nächstes dran.",
  before_one: "Vor Ihnen ist noch {{number}} Person.",
  before_other: "Vor Ihnen sind noch {{number}} Personen.",
  time: {
    moment: "Noch ein paar Sekunden.",
    seconds: "Noch etwa {{seconds}} Sekunden.",
    underMinute: "Noch weniger als eine Minute.",
    minute: "Noch etwa eine Minute.",
    minutes: "Noch etwa {{minutes}} Minuten.",
  },
  trouble: "Das Klassenzimmer antwortet gerade nicht. Wir versuchen es weiter, und Sie behalten Ihren Platz.",
  ready: "Sie sind an der Reihe. Das Klassenzimmer öffnet sich.",
  offline: "Die Verbindung ist unterbrochen. Wir versuchen es weiter; prüfen Sie, ob Sie online sind.",
  progress: "Fortschritt in der Warteschlange",
  titles: {
    next: "Gleich dran – {{course}}",
    before: "Noch {{number}} vor Ihnen – {{course}}",
    trouble: "Bitte warten – {{course}}",
    ready: "Es geht los – {{course}}",
  },
  byHand: {
    refreshed: "Diese Seite wird alle paar Sekunden von selbst aktualisiert.",
    press: "Sehen Sie mit der Schaltfläche nach, ob Sie an der Reihe sind.",
    look: "Jetzt aktualisieren",
  },
  elsewhere: {
    heading: "Dieser Platz in der Warteschlange gehört zu einem anderen Browser",
    what: "Nur der Browser, in dem der Link zum Klassenzimmer geöffnet wurde, kann hier warten und eintreten. Um selbst einzutreten, öffnen Sie den Link zum Klassenzimmer in Ihrem Kurs; wer einen Platz in der Warteschlange hat, behält ihn.",
    cookies:
      "Wenn dies dieser Browser ist, hat er kein Cookie von uns behalten: Erlauben Sie Cookies für diese Website, oder öffnen Sie den Link zum Klassenzimmer in Ihrem Kurs noch einmal und lassen Sie die Seite offen.",
  },
  over: {
    entered: {
      heading: "Sie wurden bereits eingelassen",
      what: "Über diese Seite sind Sie schon einmal ins Klassenzimmer gekommen. Um wieder einzutreten, öffnen Sie den Link zum Klassenzimmer in Ihrem Kurs noch einmal; danach können Sie diese Seite schließen.",
    },
    gone: {
      heading: "Diese Seite hat keinen Platz mehr in der Warteschlange",
      what: "Wenn Sie das Klassenzimmer noch einmal geöffnet haben, ist Ihr Platz jetzt im neueren Tab: Wechseln Sie dorthin. Wenn Sie länger weg waren, öffnen Sie den Link zum Klassenzimmer in Ihrem Kurs noch einmal.",
    },
  },
};
