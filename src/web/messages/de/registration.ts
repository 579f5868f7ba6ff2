export const registration = {
  title: "Klassenzimmer-Tool registrieren",
  done: "Das Tool ist registriert",
  doneText: "{{platform}} und dieses Tool kennen einander jetzt.",
  next: {
    moodle:
      "In Moodle steht das Tool auf „Wartend“. Schließen Sie dieses Fenster, klicken Sie dort auf „Aktivieren“ und zeigen Sie es dann in der Aktivitätsauswahl an.",
    canvas:
      "Schließen Sie dieses Fenster und machen Sie in Canvas weiter: Prüfen Sie, was das Tool darf, aktivieren Sie es und schalten Sie seinen Schlüssel ein.",
    other:
      "Wenn Ihr LMS das Tool als wartend anzeigt, aktivieren Sie es dort. Sie können dieses Fenster schließen.",
  },
  known: "Dieses LMS war schon registriert",
  knownText:
    "{{platform}} hat seine eigenen Einstellungen des Tools aktualisiert. Auf dieser Seite wurde nichts geändert: Kurse, Bewertungen und Adressen sind wie zuvor.",
  knownOff:
    "Die Registrierung ist auf dieser Seite ausgeschaltet. Bitten Sie die Stelle, die das Klassenzimmer-Tool betreibt, sie einzuschalten; bis dahin werden Aufrufe abgelehnt.",
  hidden: "Moodle verbirgt das Tool, bis Sie es anzeigen",
  hiddenText:
    "Jede Registrierung und jede Aktualisierung nimmt das Tool aus der Aktivitätsauswahl, sodass Lehrende es nicht finden.",
  withheld: "Noch nicht erlaubt",
  withheldText: "Das LMS erlaubt dem Tool nicht alles, wofür es gedacht ist. Erlauben Sie dies im LMS:",
  close: "Dieses Fenster schließen",
  invitation: {
    lead: "Geben Sie Ihrem LMS diese Adresse, dann erfahren beide alles Nötige voneinander. Sie gilt einmal, bis",
    staging: "Ein damit registriertes LMS nutzt die Staging-Umgebung des Klassenzimmers, zum Ausprobieren.",
    address: "Registrierungsadresse",
    moodle: {
      heading: "In Moodle",
      open: "Öffnen Sie Website-Administration > Plugins > Aktivitäten > Externes Tool > Tools verwalten.",
      paste:
        "Fügen Sie die Registrierungsadresse bei „Tool-URL“ ein und klicken Sie auf „LTI Advantage hinzufügen“.",
      activate:
        "Wenn sich das Fenster geschlossen hat, klicken Sie auf der Karte des Tools auf „Aktivieren“.",
      show: "Öffnen Sie die Einstellungen des Tools (der Stift) und setzen Sie „Verwendung der Toolkonfiguration“ auf „In Aktivitätsauswahl und als vorkonfiguriertes Tool anzeigen“.",
      network:
        "Moodle fragt dieses Tool nach seinen Schlüsseln. Wenn es die Adresse des Tools nicht erreichen darf (privates Netz oder ein anderer Port als 80 und 443), erlauben Sie das unter Website-Administration > Grundeinstellungen > Sicherheit > HTTP-Sicherheit.",
    },
    canvas: {
      heading: "In Canvas",
      open: "Öffnen Sie als Account-Admin „Admin“ > „Developer Keys“ > „+ Developer Key“ > „LTI Registration“ (Entwicklerschlüssel). Neueres Canvas: „Admin“ > „Apps“ > „Manage“ > „Install a New App“ > „LTI 1.3, Dynamic Registration“.",
      paste: "Fügen Sie die Registrierungsadresse ein und fahren Sie fort.",
      review:
        "Prüfen Sie, was das Tool anfordert, lassen Sie alle Dienste eingeschaltet und wählen Sie „Enable & Close“.",
      install:
        "Wenn das Tool nicht von selbst in Kursen erscheint: „Settings“ > „Apps“ > „+ App“, Konfigurationstyp „By Client ID“, mit der Nummer des Schlüssels. In einem einzelnen Kurs oder Unteraccount installieren dieselben Schritte es nur dort.",
      json: "Wo keine dynamische Registrierung angeboten wird: „+ Developer Key“ > „LTI Key“, Methode „Enter URL“, mit dieser Adresse. Teilen Sie danach der Stelle, die das Klassenzimmer-Tool betreibt, die Nummer des Schlüssels mit.",
      jsonAddress: "Canvas-Konfiguration",
    },
    other: {
      heading: "In einem anderen LMS",
      open: "Suchen Sie nach Tools für LTI 1.3 (LTI Advantage) und dort nach dynamischer Registrierung oder einer Registrierungs-URL.",
      paste:
        "Fügen Sie die Registrierungsadresse ein, schließen Sie den Vorgang in dem neuen Fenster ab und aktivieren Sie das Tool.",
      scopes: "Erlauben Sie dem Tool, die Personen des Kurses zu lesen und seine Bewertungen zu schreiben.",
    },
    byHand: {
      heading: "Von Hand",
      text: "Wo ein LMS Tools nicht von selbst registriert, tragen Sie diese Werte ein. Geben Sie danach der Stelle, die das Klassenzimmer-Tool betreibt, was das LMS anzeigt: Aussteller (Plattform-ID), Client-ID, Deployment-ID und die Adressen für Authentifizierung, Zugriffstoken und öffentliche Schlüssel.",
      launch: "Tool-URL, Ziel-Link und Weiterleitungsadresse",
      login: "Adresse zum Starten der Anmeldung",
      keys: "Adresse des öffentlichen Schlüsselsatzes",
      logo: "Symbol",
      moodleParameters: "Benutzerdefinierte Parameter, Moodle",
      otherParameters: "Benutzerdefinierte Parameter, andere LMS",
      scopes: "Dienste (Scopes)",
    },
    copy: "Kopieren",
    copyWhat: "Kopieren: {{what}}",
    copied: "Kopiert: {{what}}",
    copiedShort: "Kopiert",
    selected: "Ausgewählt. Kopieren Sie es mit Strg+C oder auf dem Mac mit ⌘C.",
  },
  sameLms: {
    open: "Dieselbe Lernplattform wie früher",
    heading: "Ist das dieselbe Lernplattform wie bei einer früheren Registrierung?",
    lead: "Wurde ein Tool in einer Lernplattform gelöscht und neu registriert, hat es eine andere Client-ID, und Kurse beginnen mit neuen Spaces. Sagen Sie, welche frühere Registrierung diese fortsetzt; deren Kurse behalten Spaces, Personen und Bewertungen.",
    none: "Keine andere Lernplattform ist registriert.",
    which: "Frühere Registrierung",
    look: "Ansehen, was das bedeutet",
    plan: "Was geschehen würde",
    reached:
      "{{name}} wird über die Client-ID {{fresh}} erreicht statt über {{earlier}}, die von da an abgewiesen wird.",
    lastUsed: "Frühere zuletzt benutzt",
    kept: "Kurse, die Spaces, Personen und Bewertungen behalten; ihre Spalten werden beim nächsten Öffnen wieder gesucht",
    moved: "Seither geöffnete Kurse, die mit allem Inhalt übergehen",
    replaced: "Unter beiden geöffnete Kurse, im neuen ohne Inhalt: Der frühere zählt",
    conflicts: "Unter beiden benutzte Kurse: Der frühere zählt, und was im neuen ist, wird unerreichbar",
    once: "Es dauert einige Sekunden, in denen diese Registrierung ausgeschaltet ist, und lässt sich nicht rückgängig machen.",
    confirm: "Es ist dieselbe Lernplattform",
  },
  audiences: {
    heading: "Token, die auch für andere bestimmt sind",
    text: "Ein Start, dessen Token neben diesem Tool einen weiteren Empfänger (audience) nennt, wird abgewiesen. Nennen Sie die, denen Sie vertrauen, je Zeile einen; meist gibt es keine.",
    label: "Vertraute weitere Empfänger, je Zeile einer",
    save: "Speichern",
    tooMuch: "Höchstens {{audiences}} Zeilen mit je {{characters}} Zeichen. Nichts wurde gespeichert.",
  },
  family: {
    says: "Das LMS nennt sich „{{product}}“.",
    unknown: "Wird beim ersten Start erfahren",
    contradiction:
      "Dieses LMS wird als {{family}} behandelt, seine Starts sagen aber „{{product}}“. Wählen Sie, was es ist: Noten und Kurse folgen den Regeln des Produkts.",
    save: "Art des LMS speichern",
    learn: "Was das LMS von sich sagt",
  },
};
