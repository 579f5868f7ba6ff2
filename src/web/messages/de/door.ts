export const door = {
  title: "{{course}}: Online-Klassenzimmer",
  early: {
    heading: "Das Klassenzimmer ist noch nicht geöffnet",
    opens: "Öffnet:",
    opensAt: "Öffnet um",
    lead: "Sobald es öffnet, geht es hier von selbst weiter; Sie können diese Seite offen lassen.",
    leadLong: "Kommen Sie dann über den Link in Ihrem Kurs wieder.",
    now: "Das Klassenzimmer ist geöffnet.",
    button: "Klassenzimmer betreten",
    units: { days: "T", hours: "Std.", minutes: "Min.", seconds: "Sek." },
    left: "Öffnet in",
  },
  over: {
    heading: "Dieser Termin ist vorbei",
    lead: "Dieser Link galt für einen einzelnen Termin, und der ist beendet. Vielleicht gibt es in Ihrem Kurs einen Link zum nächsten.",
  },
  cancelled: {
    heading: "Dieser Termin wurde abgesagt",
    lead: "Dieser Link galt für einen einzelnen Termin, und der fällt aus. Fragen Sie Ihre Lehrperson, wann der nächste ist.",
  },
  deleted: {
    heading: "Dieser Termin wurde gelöscht",
    lead: "Dieser Link galt für einen einzelnen Termin, und den gibt es nicht mehr. Fragen Sie Ihre Lehrperson, wann der nächste ist.",
  },
  otherSections: {
    heading: "Dieses Klassenzimmer ist für andere Gruppen",
    lead: "Ihre Lehrperson hat es nur für diese geöffnet:",
    own: "In der Lernplattform gehören Sie zu: {{sections}}.",
    none: "In der Lernplattform gehören Sie noch zu keiner Gruppe.",
    yours:
      "Wenn Sie dazugehören, bitten Sie Ihre Lehrperson, Sie in der Lernplattform dort einzutragen. Öffnen Sie danach den Link in Ihrem Kurs noch einmal.",
  },
  notSetUp: {
    heading: "Das Klassenzimmer ist noch nicht bereit",
    lead: "Es ist mit Ihrem Kurs noch nicht vollständig verbunden, deshalb kann niemand eintreten. Sagen Sie Ihrer Lehrperson Bescheid; sie kann sich an die Administration der Lernplattform wenden. Sie haben nichts falsch gemacht.",
  },
  again: "Erneut prüfen",
  access: {
    "waiting-room":
      "Dieses Klassenzimmer hat einen Warteraum: Ein Host lässt Sie ein. Bleiben Sie so lange auf der Seite.",
    "invited-only":
      "Eintreten können nur Personen, die in diesem Klassenzimmer auf der Liste der Eingeladenen stehen. Wenn Sie nicht eingelassen werden, bitten Sie Ihre Lehrperson, Sie hinzuzufügen.",
  },
};
