export const space = {
  title: "{{course}}: Online-Klassenzimmer",
  frame: "Klassenzimmer von {{course}}",
  again: "Das Klassenzimmer wird wieder geöffnet",
  tab: "In neuem Tab öffnen",
  hide: "Ausblenden",
  full: { enter: "Vollbild", leave: "Vollbild beenden" },
  enter: {
    lead: "Es öffnet sich hier, auf dieser Seite.",
    why: {
      insecure:
        "Diese Seite wurde nicht über eine sichere Verbindung (https) geöffnet, und Browser geben Kamera und Mikrofon nur für sichere Seiten frei. Das Klassenzimmer wird stattdessen in einem neuen Tab geöffnet; informieren Sie Ihre Administration.",
      microphone:
        "Ihre Lernplattform gibt dieser Seite das Mikrofon nicht frei. Das Klassenzimmer wird deshalb in einem neuen Tab geöffnet.",
      camera:
        "Ihre Lernplattform gibt dieser Seite die Kamera nicht frei. Das Klassenzimmer wird deshalb in einem neuen Tab geöffnet.",
      both: "Ihre Lernplattform gibt dieser Seite Kamera und Mikrofon nicht frei. Das Klassenzimmer wird deshalb in einem neuen Tab geöffnet.",
    },
  },
  signs: {
    label: "Was das Klassenzimmer meldet",
    opening: "Das Klassenzimmer wird geöffnet …",
    people: "Personen: {{number}}",
    recording: "Aufzeichnung läuft",
    recordingStarted: "Das Klassenzimmer wird aufgezeichnet.",
    recordingStopped: "Die Aufzeichnung ist beendet.",
    hand: "Hand gehoben",
    steady: "Ihre Verbindung ist wieder stabil.",
    unshared: "Um Ihren Bildschirm zu teilen, öffnen Sie einen neuen Tab.",
  },
  good: {
    microphone: "Ihr Mikrofon funktioniert wieder.",
    camera: "Ihre Kamera funktioniert wieder.",
  },
  notices: {
    tablet: "Auf Smartphones und Tablets wird das Klassenzimmer in einem neuen Tab geöffnet.",
    insecure:
      "Diese Seite wurde nicht über eine sichere Verbindung (https) geöffnet. Das Klassenzimmer bleibt vielleicht leer, und Kamera und Mikrofon funktionieren nicht. Informieren Sie Ihre Administration.",
    silent:
      "Das Klassenzimmer hat nicht gemeldet, dass es geöffnet ist. Wenn dort steht, dass Sie in einem Warteraum sind, lässt ein Host Sie ein; wenn dort steht, dass es privat ist, bitten Sie Ihre Lehrperson um eine Einladung. Bleibt es leer, blockiert Ihr Browser vielleicht, was es innerhalb anderer Seiten speichert: Öffnen Sie es in einem neuen Tab.",
    connection:
      "Ihre Verbindung ist instabil. Andere hören oder sehen Sie vielleicht nicht gut; es hilft, die Kamera auszuschalten oder näher an Ihr WLAN zu gehen.",
    performance:
      "Ihr Gerät ist ausgelastet. Schließen Sie andere Programme und Tabs oder schalten Sie die Kamera aus.",
    microphone: {
      PERMISSION_DENIED:
        "Ihr Browser lässt das Klassenzimmer nicht auf Ihr Mikrofon zugreifen. Erlauben Sie es links neben der Adresszeile und treten Sie der Videokonferenz dann noch einmal bei. Wenn es dort nichts zu erlauben gibt, öffnen Sie das Klassenzimmer in einem neuen Tab.",
      PERMISSION_DENIED_BY_SYSTEM:
        "Ihr Gerät lässt den Browser nicht auf das Mikrofon zugreifen. Erlauben Sie es dem Browser in den Datenschutzeinstellungen des Systems und treten Sie der Videokonferenz dann noch einmal bei.",
      NOT_FOUND:
        "Es wurde kein Mikrofon gefunden. Schließen Sie eines an oder schalten Sie es ein, und wählen Sie es dann im Klassenzimmer aus.",
      NO_INPUT_DETECTED:
        "Ihr Mikrofon ist an, aber es ist nichts zu hören. Prüfen Sie, ob es stummgeschaltet ist und ob das richtige ausgewählt ist.",
      GET_USER_MEDIA_TIMEOUT:
        "Ihr Mikrofon reagiert nicht. Schließen Sie andere Programme, die es verwenden, schließen Sie es neu an und treten Sie der Videokonferenz dann noch einmal bei.",
      DEFAULT_ERROR:
        "Ihr Mikrofon funktioniert nicht. Schließen Sie andere Programme, die es verwenden, prüfen Sie, ob es angeschlossen ist, und treten Sie der Videokonferenz dann noch einmal bei.",
    },
    camera: {
      PERMISSION_DENIED:
        "Ihr Browser lässt das Klassenzimmer nicht auf Ihre Kamera zugreifen. Erlauben Sie es links neben der Adresszeile und treten Sie der Videokonferenz dann noch einmal bei. Wenn es dort nichts zu erlauben gibt, öffnen Sie das Klassenzimmer in einem neuen Tab.",
      PERMISSION_DENIED_BY_SYSTEM:
        "Ihr Gerät lässt den Browser nicht auf die Kamera zugreifen. Erlauben Sie es dem Browser in den Datenschutzeinstellungen des Systems und treten Sie der Videokonferenz dann noch einmal bei.",
      NOT_FOUND:
        "Es wurde keine Kamera gefunden. Schließen Sie eine an oder schalten Sie sie ein, und wählen Sie sie dann im Klassenzimmer aus.",
      NO_INPUT_DETECTED:
        "Ihre Kamera ist an, aber sie liefert kein Bild. Prüfen Sie Abdeckung und Schalter und ob die richtige Kamera ausgewählt ist.",
      GET_USER_MEDIA_TIMEOUT:
        "Ihre Kamera reagiert nicht. Schließen Sie andere Programme, die sie verwenden, schließen Sie sie neu an und treten Sie der Videokonferenz dann noch einmal bei.",
      DEFAULT_ERROR:
        "Ihre Kamera funktioniert nicht. Schließen Sie andere Programme, die sie verwenden, prüfen Sie, ob sie angeschlossen ist, und treten Sie der Videokonferenz dann noch einmal bei.",
    },
  },
  endings: {
    left: "Sie haben die Videokonferenz verlassen.",
    "ended-by-other": "Die Videokonferenz wurde beendet.",
    "ended-by-me": "Sie haben die Videokonferenz für alle beendet.",
  },
  end: {
    seconds: "Diese Seite schließt sich in {{number}} s.",
    waits: "Diese Seite bleibt offen, solange Sie im Klassenzimmer aktiv sind.",
    now: "Weiter",
    stay: "Hier bleiben",
  },
  elsewhere: {
    lead: "Das Klassenzimmer wurde in einem neuen Tab geöffnet.",
    back: "Wieder hier anzeigen",
  },
};
