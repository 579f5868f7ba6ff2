export const restored = {
  text: "Die Daten dieses Werkzeugs wurden am {{when}} aus einer Sicherung zurückgeholt. Was zwischen {{backup}} und diesem Zeitpunkt geschah, ist nur so weit bekannt, wie Klassenraum und Notenbuch es sagen.",
  textUnknown:
    "Die Daten dieses Werkzeugs wurden am {{when}} aus einer Sicherung zurückgeholt. Was zwischen der Sicherung und diesem Zeitpunkt geschah, ist nur so weit bekannt, wie Klassenraum und Notenbuch es sagen.",
  stillToCompare: "Noch mit dem Notenbuch zu vergleichen: {{number}}. Davon wird solange nichts gesendet.",
  different: "Bewertungen, die vom Notenbuch abweichen: {{number}}.",
  unread:
    "Für {{number}} konnte das Notenbuch nicht gelesen werden; sie sind so gezeigt, wie die Sicherung sie hat.",
  open: "Abweichungen ansehen",
  title: "Abweichungen vom Notenbuch: {{course}}",
  heading: "Bewertungen, die vom Notenbuch abweichen",
  lead: "Jede davon kann von einer Lehrperson sein oder nach der Sicherung von hier gesendet worden sein. Nichts wird darüber gesendet, bis Sie entscheiden.",
  attendance:
    "Die Anwesenheit wird noch einmal aus dem Klassenraum gelesen; eine Bewertung, die dann so herauskommt, wie das Notenbuch sie hat, verschwindet von selbst aus dieser Liste.",
  choose: "{{name}} auswählen",
  ours: "Unsere",
  sendChosen: "Unsere für die Ausgewählten senden",
  keepChosen: "Die des Notenbuchs für die Ausgewählten behalten",
  sendAll: "Unsere für alle senden",
  keepAll: "Die des Notenbuchs für alle behalten",
  keepHint:
    "Eine behaltene Bewertung bleibt, wie sie ist, auch wenn sich die Anwesenheit später ändert, bis Sie unsere senden.",
  none: "Keine Bewertung weicht ab.",
  nothingChosen: "Es war nichts ausgewählt. Wählen Sie zuerst Bewertungen in der Liste aus.",
  decided: "Entschieden: {{number}}. Unten sehen Sie, was noch übrig ist.",
  back: "Alle Bewertungen",
  whyDiffers:
    "Die Daten wurden aus einer Sicherung zurückgeholt, und das Notenbuch hat {{theirs}}: eine Bewertung einer Lehrperson oder eine spätere von uns. Nichts wird darüber gesendet, bis eine Lehrperson es sagt.",
  whyEmpty:
    "Die Daten wurden aus einer Sicherung zurückgeholt, und das Notenbuch hat keine Bewertung mehr. Nichts wird gesendet, bis eine Lehrperson es sagt.",
  values: "Unsere: {{ours}}; im Notenbuch: {{theirs}}, gesehen {{when}}.",
  valuesEmpty: "Unsere: {{ours}}; im Notenbuch keine, gesehen {{when}}.",
  keep: "Die des Notenbuchs behalten",
  keepLabel: "Bewertung des Notenbuchs für {{name}} behalten",
  consoleHeading: "Nach einer Wiederherstellung",
  consoleLead:
    "Die Datenbank wurde aus einer Sicherung zurückgeholt. Jede Bewertung wird mit ihrem Notenbuch verglichen, bevor etwas gesendet wird; wo sie abweicht, entscheidet eine Lehrperson des Kurses auf dessen Seite der Bewertungen.",
  consoleNone: "Kein Kurs hat Bewertungen, die zu vergleichen sind oder abweichen.",
  course: "Kurs",
  scores: "Bewertungen",
  since: "Wiederhergestellt",
  more: "Gezeigt sind die {{number}} Kurse mit den meisten.",
};
