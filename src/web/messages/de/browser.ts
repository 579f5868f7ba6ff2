export const browser = {
  opening: "Das Klassenzimmer wird geöffnet",
  moment: "Einen Moment, bitte.",
  elsewhere: {
    heading: "Öffnen Sie das Klassenzimmer in einem neuen Fenster",
    lead: "Innerhalb dieser Seite merkt sich Ihr Browser nichts für das Klassenzimmer und könnte Sie nicht wiedererkennen. In einem eigenen Fenster geht das.",
    button: "In neuem Fenster öffnen",
    opened:
      "Das Klassenzimmer wurde in einem neuen Fenster geöffnet. Sie können jederzeit hierher zurückkommen und es noch einmal öffnen.",
    fetch:
      "Wenn Sie in jenem Fenster Inhalte ausgewählt haben, übernimmt diese Seite sie von selbst. Wenn nicht, machen Sie hier weiter.",
    fetchButton: "Hier weitermachen",
  },
  byHand: {
    lead: "Wo Skripte erlaubt sind, geht es auf dieser Seite von selbst weiter. Ihr Browser erlaubt sie nicht; wählen Sie deshalb, wie es weitergehen soll.",
    onward: "Hier weiter",
    posted:
      "Ihr Browser führt auf dieser Seite keine Skripte aus, und ohne sie kann das Klassenzimmer Sie nicht wiedererkennen.",
  },
  lost: {
    heading: "Ihr Browser wird nicht wiedererkannt",
    lead: "Ihr Browser hat nicht behalten, was diesen Aufruf vor anderen schützt. Gehen Sie zurück zu Ihrem Kurs und öffnen Sie den Link in einem neuen Fenster, oder erlauben Sie Cookies für das Klassenzimmer und versuchen Sie es noch einmal.",
  },
  admin: {
    summary: "Für die Administration: so geht es ohne diese Seite",
    window: "Lassen Sie die Lernplattform das Tool in einem neuen Fenster öffnen:",
    moodle: "Moodle: Wählen Sie in den Einstellungen des Tools „Neues Fenster“ als Startcontainer.",
    canvas: "Canvas: Geben Sie der Platzierung „windowTarget“: „_blank“.",
    cookies:
      "Oder lassen Sie Browser innerhalb Ihrer Lernplattform Cookies von {{host}} behalten: Partitionierte Cookies oder Cookies von Drittanbietern dürfen dafür nicht blockiert sein.",
  },
  reloaded:
    "Diese Seite lässt sich über ihre Adresse nicht neu laden. Öffnen Sie das Klassenzimmer über den Link in Ihrem Kurs; es geht nichts verloren.",
};
