/** What is said of a list of the classroom that was not read to its end. */
export const more = {
  read: "Bisher gelesen: {{read}}.",
  readOf: "Bisher gelesen: {{read}} von {{total}}.",
  goesOn: "Der Rest wird gerade gelesen und kommt von selbst.",
  why: {
    bound: "Die Liste ist länger, als auf einmal gelesen werden kann.",
    failed: "Ein Teil der Liste kam nicht an. Von dort geht es von selbst weiter.",
    repeats:
      "Das Klassenzimmer schickt denselben Teil noch einmal statt des nächsten. Sagen Sie es den Betreibern dieses Tools: Die Seiten der Liste lassen sich in der Dialektdatei benennen.",
    elsewhere: "Das Klassenzimmer verweist für den Rest auf einen anderen Server, der nicht gefragt wird.",
    "no-way":
      "Das Klassenzimmer sagt nicht, wie der Rest abzurufen ist. Sagen Sie es den Betreibern dieses Tools: Die Seiten der Liste lassen sich in der Dialektdatei benennen.",
    fewer: "Das Klassenzimmer nennt mehr Einträge, als es schickt.",
  },
};
