export const trouble = {
  "classroom-address-taken":
    "Das Klassenzimmer hat einen zweiten Zugang für diese Person abgelehnt, vielleicht weil es jede E-Mail-Adresse nur einmal annimmt. Wenden Sie sich an die Stelle, die dieses Werkzeug betreibt; beim nächsten Eintreten wird es wieder versucht.",
  "classroom-busy":
    "Das Klassenzimmer bittet darum, langsamer zu fragen. Versuchen Sie es in einer Minute noch einmal.",
  "classroom-key-unusable":
    "Der API-Schlüssel des Klassenzimmers ist nicht brauchbar. Wenden Sie sich an die Stelle, die dieses Werkzeug betreibt.",
  "classroom-login-elsewhere":
    "Das Klassenzimmer will Personen an eine fremde Adresse schicken. Wenden Sie sich an die Stelle, die dieses Werkzeug betreibt.",
  "classroom-page-elsewhere":
    "Die nächste Seite einer Liste liegt nicht beim Klassenzimmer selbst und wurde deshalb nicht abgerufen. Wenden Sie sich an die Stelle, die dieses Werkzeug betreibt.",
  "classroom-refused":
    "Das Klassenzimmer hat es abgelehnt. Wer dieses Werkzeug betreibt, findet Näheres im Protokoll.",
  "classroom-reply-unreadable":
    "Die Antwort des Klassenzimmers ist nicht lesbar. Wenden Sie sich an die Stelle, die dieses Werkzeug betreibt.",
  "classroom-unauthorized":
    "Das Klassenzimmer hat den API-Schlüssel dieses Werkzeugs nicht angenommen. Wenden Sie sich an die Stelle, die es betreibt.",
  "classroom-unreachable":
    "Das Klassenzimmer hat nicht geantwortet. Versuchen Sie es in einer Minute noch einmal.",
  "classroom-wants-email":
    "Das Klassenzimmer nimmt anscheinend niemanden ohne E-Mail-Adresse auf, und das LMS gibt die Adresse dieser Person nicht weiter. Wer dieses Werkzeug betreibt, kann das LMS Adressen mitteilen lassen oder eine Ersatzadresse einrichten.",
  "classroom-user-shared":
    "Das Klassenzimmer unterscheidet nicht, ob diese Person leitet oder teilnimmt. Wenden Sie sich an die Stelle, die dieses Werkzeug betreibt.",
  "environment-off":
    "Diese Umgebung des Klassenzimmers ist nicht eingerichtet. Wenden Sie sich an die Stelle, die dieses Werkzeug betreibt.",
  "outcome-unknown":
    "Das Klassenzimmer hat nicht wie erwartet geantwortet, und es ist nicht bekannt, ob es gewirkt hat.",
  "throttle-store-unreachable":
    "Die Datenbank dieses Werkzeugs ist nicht erreichbar, deshalb wurde das Klassenzimmer nicht gefragt.",
  unexpected: "Bei uns ist etwas schiefgegangen.",
};
