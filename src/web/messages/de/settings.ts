const yesNo = { yes: "Ja", no: "Nein" };
const everybody = "Für alle.";

export const settings = {
  title: "Einstellungen: {{course}}",
  tabs: { label: "Bereiche", space: "Space", grades: "Bewertungen", changes: "Änderungen" },
  heading: { course: "Einstellungen des Kurses", link: "Einstellungen nur für diesen Link" },
  lead: {
    course:
      "Sie gelten für jeden Link dieses Kurses, ab dem nächsten Eintreten. Wer schon im Klassenzimmer ist, bemerkt nichts davon.",
    link: "Sie gelten für den Link, über den Sie gekommen sind, ab dem nächsten Eintreten. Was Sie auf „Wie im Kurs“ lassen, richtet sich nach dem Kurs.",
  },
  scope: { course: "Einstellungen des Kurses", link: "Einstellungen nur für diesen Link" },
  linkDiffers: "Dieser Link hat eigene Einstellungen; sie haben Vorrang vor denen hier.",
  changes: {
    kind: "Art der Änderungen",
    everything: "Alle Änderungen",
    kinds: {
      attendance: "Anwesenheit",
      grades: "Bewertungen",
      settings: "Einstellungen und Space",
      sessions: "Termine",
      people: "Personen, Abschnitte und Kohorten",
      recordings: "Aufzeichnungen",
    },
    show: "Anzeigen",
    noneOfKind: "Noch keine Änderung dieser Art.",
  },
  locked: {
    by: "Von Ihrer Einrichtung festgelegt.",
    note: "Einige Werte hat Ihre Einrichtung für alle ihre Kurse festgelegt. Sie werden hier angezeigt und lassen sich nicht ändern.",
    aroundSessions: "Nur rund um seine Termine, von {{before}} Minuten davor bis {{after}} Minuten danach",
  },
  audit: { course: "{{setting}}: {{value}}", link: "Nur für einen Link, {{setting}}: {{value}}" },
  saved: "Gespeichert. Es gilt ab dem nächsten Eintreten.",
  notSaved: "Noch ist nichts gespeichert. Prüfen Sie, was unten markiert ist.",
  conflict: {
    heading: "Jemand anderes hat diese Einstellungen inzwischen geändert",
    lead: "Von Ihnen ist noch nichts gespeichert. Geändert wurde:",
    change: "{{field}}: jetzt „{{now}}“, vorher „{{was}}“",
    unseen: "Ihre Eingabe ist erhalten. Prüfen Sie die Seite und speichern Sie noch einmal.",
    then: "Wo nur die andere Person etwas geändert hat, steht es jetzt unten; das Übrige ist so, wie Sie es eingegeben haben. Prüfen Sie es und speichern Sie noch einmal.",
  },
  save: "Speichern",
  reset: {
    heading: { course: "Von vorn beginnen", link: "Zurück zu den Kurseinstellungen" },
    lead: {
      course:
        "Setzt alles auf dieser Seite auf das zurück, womit ein neuer Kurs Ihrer Einrichtung beginnt, außer Ihren Angaben zum Space. Sie sehen zuerst, was sich dadurch ändert.",
      link: "Nimmt alles zurück, was Sie auf dieser Seite für diesen Link gewählt haben, außer Ihren Angaben zu seinem Space. Sie sehen zuerst, was sich dadurch ändert.",
    },
    button: { course: "Auf Standard zurücksetzen", link: "Kurseinstellungen verwenden" },
    question: { course: "Auf Standard zurücksetzen?", link: "Hier die Kurseinstellungen verwenden?" },
    changes: "Noch ist nichts geändert. Das wäre anders:",
    same: "So ist es bereits, es gibt also nichts zu ändern.",
    table: "Was das Zurücksetzen ändert",
    setting: "Einstellung",
    was: "Jetzt",
    then: "Dann",
    back: "Zurück, ohne etwas zu ändern",
  },
  groups: {
    enter: "Eintreten",
    see: "Was zu sehen ist",
    when: "Wann Lernende eintreten können",
    who: "Wer eintreten kann",
    space: "Wen der Space selbst einlässt",
    newSpace: "Wie der Space angelegt wird",
  },
  inherit: {
    none: "Wie im Kurs",
    course: "Wie im Kurs ({{answer}})",
    lms: "Laut Lernplattform ({{answer}})",
  },
  fields: {
    mode: {
      label: "Wo das Klassenzimmer geöffnet wird",
      hint: "Ein neuer Tab ist am zuverlässigsten. Auf der Kursseite stehen Kamera und Mikrofon manchmal nicht zur Verfügung; dann wird der Tab angeboten. Smartphones und Tablets bekommen immer einen neuen Tab.",
      who: everybody,
      answers: { tab: "In einem neuen Tab", embedded: "Auf der Kursseite" },
    },
    call: {
      label: "Videokonferenz startet von selbst",
      hint: "Mit der ersten Lehrperson oder sobald jemand da ist; sonst startet sie jemand von Hand.",
      who: "Für Lehrende; bei „Sobald jemand da ist“ auch für Lernende.",
      answers: {
        host: "Mit erster Lehrperson",
        anyone: "Sobald jemand da ist",
        nobody: "Nicht von selbst",
      },
    },
    skipDeviceSetup: {
      label: "Prüfung von Kamera und Mikrofon überspringen",
      hint: "Man tritt dann immer mit ausgeschaltetem Mikrofon und ausgeschalteter Kamera bei.",
      who: everybody,
      answers: yesNo,
    },
    startLocalRecording: {
      label: "Aufzeichnung beginnt mit der Videokonferenz",
      hint: "Die Aufzeichnung entsteht im Browser jeder einzelnen Person, und niemand kann beitreten, ohne sie zu erlauben. Smartphones und Tablets können so nicht aufzeichnen und treten ohne Aufzeichnung bei.",
      who: everybody,
      answers: yesNo,
    },
    galleryView: {
      label: "Mit der Galerieansicht beginnen",
      hint: "Alle Videobilder in einem Raster. Solange der Leitungsmodus an ist, entscheidet die leitende Person.",
      who: everybody,
      answers: yesNo,
    },
    standalone: {
      label: "Wege aus dem Klassenzimmer ausblenden",
      hint: "Entfernt die Navigation zu anderen Spaces, „Copy Link“ und „Invite Users“. Bei „Nein“ gilt, was Ihre Einrichtung festgelegt hat.",
      who: everybody,
      answers: yesNo,
    },
    language: {
      label: "Sprache des Klassenzimmers",
      hint: "Sie wird an das Klassenzimmer weitergegeben; welche Sprachen es hat, teilt es uns nicht mit. „Laut Lernplattform“ meint die Sprache jeder Person.",
      who: everybody,
      answers: {
        lms: "Laut Lernplattform",
        classroom: "Wählt das Klassenzimmer",
      },
    },
    opens: {
      label: "Das Klassenzimmer ist geöffnet",
      hint: "Wer früher kommt, sieht, wann es öffnet, und wird dann eingelassen. Wer drin ist, bleibt drin.",
      who: "Für Lernende. Lehrende können immer eintreten.",
      answers: { always: "Jederzeit", "around-sessions": "Nur rund um seine Termine" },
    },
    minutesBefore: { label: "Minuten vor einem Termin" },
    minutesAfter: { label: "Minuten danach" },
    who: {
      label: "Das Klassenzimmer ist für",
      hint: "Andere erfahren, für wen es ist. Lernende, deren Abschnitt Ihre Lernplattform nicht nennt, können eintreten.",
      who: "Für Lernende. Lehrende können immer eintreten.",
      answers: { all: "Alle im Kurs", some: "Nur diese Abschnitte oder Gruppen" },
    },
    sections: { label: "Abschnitte oder Gruppen", none: "keine" },
    access: {
      label: "Dieser Space",
      hint: "Lernende erfahren es, bevor sie eintreten.",
      answers: {
        unknown: "Lässt alle ein, oder unbekannt",
        "waiting-room": "Hat einen Warteraum",
        "invited-only": "Lässt nur Eingeladene ein",
      },
    },
    newAccess: {
      label: "Zugang",
      hint: "Öffentlich: Alle, die die Adresse des Space haben, können beitreten. Nur für Eingeladene: Wenn der Space angelegt wird, erfährt das Klassenzimmer, wer zum Kurs gehört, soweit es die Personen dann schon kennt. Wer nicht eingelassen wird, etwa weil er später dazukam, den laden Sie im Klassenzimmer selbst ein.",
      answers: { Public: "Öffentlich", Private: "Nur für Eingeladene" },
    },
    newWaiting: {
      label: "Warteraum",
      hint: "Mit Warteraum lässt ein Host alle Teilnehmenden einzeln ein.",
      answers: yesNo,
    },
  },
  problems: {
    choose: "Wählen Sie eine der angebotenen Antworten.",
    minutes: "Eine ganze Zahl von 0 bis {{most}}.",
    sections: "Wählen Sie mindestens eine Gruppe oder einen Abschnitt, oder wählen Sie alle.",
  },
  door: {
    now: "Im Moment:",
    always: "für Lernende geöffnet.",
    session: "für Lernende geöffnet, weil ein Termin läuft, bis",
    "no-session":
      "für Lernende geöffnet, weil uns kein bevorstehender Termin bekannt ist. Niemand wird wegen etwas ausgesperrt, das wir nicht wissen.",
    "session-untimed": "für Lernende geöffnet, weil uns ein Termin ohne Zeitangabe bekannt ist.",
    early: "für Lernende geschlossen. Es öffnet",
    over: "für Lernende geschlossen, weil der einzige Termin dieses Links vorbei ist.",
    cancelled: "für Lernende geschlossen, weil der einzige Termin dieses Links abgesagt wurde.",
    deleted: "für Lernende geschlossen, weil der eine Termin dieses Links im Klassenraum gelöscht wurde.",
    oneSession:
      "Dieser Link gilt für einen einzelnen Termin: „Nur rund um seine Termine“ meint diesen einen.",
    noSections:
      "Ihre Lernplattform hat uns keine Abschnitte oder Gruppen dieses Kurses genannt, deshalb kann er nur für alle geöffnet sein.",
  },
  preview: {
    heading: "Die Adressen, die sich daraus ergeben",
    lead: "Dorthin gelangt, wer am Computer eintritt, nach der Auswahl oben, ob gespeichert oder nicht. Die Anmeldung kommt beim Eintreten hinzu.",
    button: "Adressen anzeigen",
    host: "Für eine Lehrperson",
    participant: "Für Lernende",
    notMade: "Der Space ist noch nicht angelegt; SPACE-ID steht für die ID, die er haben wird.",
    none: "Die Adressen teilen dem Klassenzimmer nichts weiter mit.",
    meaning: "Was die Adressen bedeuten",
    who: { both: "Für alle.", host: "Nur für Lehrende.", participant: "Nur für Lernende." },
    says: {
      startCall: "Die Videokonferenz startet von selbst mit der ersten Lehrperson.",
      skipCallHostCheck: "Die Videokonferenz startet, sobald jemand da ist, auch Lernende.",
      skipDeviceSetup: "Niemand muss die Geräte prüfen; Mikrofon und Kamera sind zunächst aus.",
      gv: "Alle Videobilder in einem Raster, sofern keine leitende Person anders entscheidet.",
      standalone: "Keine Wege zu anderen Spaces, kein „Copy Link“, kein „Invite Users“.",
      startLocalRecording:
        "Die Aufzeichnung beginnt mit der Videokonferenz, im Browser jeder Person. Auf Smartphones und Tablets entfällt sie.",
      broadcastEvents:
        "Das Klassenzimmer meldet der Seite, in der es liegt, Verbindung, Geräte und das Ende der Videokonferenz.",
    },
    language: {
      fixed: "Das Klassenzimmer erscheint in dieser Sprache: {{language}}.",
      reader:
        "Das Klassenzimmer erscheint in der Sprache, die jede Person in der Lernplattform hat; hier ist es Ihre: {{language}}.",
    },
  },
  space: {
    heading: { course: "Der Space dieses Kurses", link: "Der Space dieses Links" },
    made: "Der Kurs hat diesen Space. Wer seine Adresse kennt, kann versuchen einzutreten; wen er einlässt, lässt sich nur im Klassenzimmer sehen und ändern.",
    notMade: "Der Space dieses Kurses ist noch nicht angelegt.",
    linked:
      "Dieser Link öffnet einen anderen Space, {{address}}. Wen er einlässt, können wir das Klassenzimmer nicht fragen; sagen Sie uns, was Sie wissen.",
    forGood:
      "Der Kurs hat noch keinen Space; er wird angelegt, bald nachdem die erste Lehrperson das Klassenzimmer geöffnet hat. Ihre Auswahl hier gilt, wenn sie vorher gespeichert ist; danach kann dieses Tool sie nicht mehr ändern, nur noch jemand im Klassenzimmer selbst.",
    unchangeable:
      "Wen ein Space einlässt, kann das Tool nach dem Anlegen weder abfragen noch ändern. Tun Sie das im Klassenzimmer selbst und geben Sie es dann hier an.",
    ids: "Um Personen im Klassenzimmer einzuladen, brauchen Sie vielleicht ihre Klassenzimmer-IDs: Sie stehen auf der Seite „Personen“, für alle, die für das Eintreten vorbereitet sind.",
    idOf: "Klassenzimmer-ID:",
    former:
      "Früher hatte der Kurs diese Spaces. Sie sind noch im Klassenzimmer, und Termine, die dort stattfanden, gehören zu diesem Kurs.",
    late: "Inzwischen hat jemand anderes diesem Kurs einen anderen Space gegeben. Von Ihnen ist nichts geändert; so ist es jetzt.",
    notes: {
      linked: "Der Kurs hat jetzt diesen Space. Er gilt ab dem nächsten Eintreten.",
      tooLate:
        "Der Space wurde angelegt, während diese Seite offen war, und zwar nach den bisherigen Angaben. Wenn Zugang oder Warteraum anders sein sollen, legen Sie unten einen neuen Space an.",
      made: "Der Kurs hat einen neuen Space. Er gilt ab dem nächsten Eintreten.",
    },
    problems: {
      missing: "Fügen Sie die Adresse eines Space ein oder wählen Sie einen aus der Liste.",
      unreadable:
        "Das ist keine Adresse eines Space in Ihrem Klassenzimmer. Fügen Sie eine ein, die mit {{appUrl}}/spaces/ beginnt, oder die ID, die darauf folgt.",
      own: "Der Kurs hat diesen Space bereits.",
    },
    another: {
      open: "Anderen Space verwenden",
      heading: "Ein anderer Space für diesen Kurs",
      lead: "Er gilt für den ganzen Kurs. Sie sehen, was das bedeutet, bevor etwas geändert wird.",
      now: "Der Kurs hat jetzt diesen Space:",
      none: "Der Kurs hat noch keinen Space. Wenn Sie keinen verknüpfen, wird einer angelegt, sobald zum ersten Mal jemand eintritt.",
      existing: "Ein Space, den es schon gibt",
      address: "Adresse oder ID des Space",
      hint: "Seine Adresse beginnt mit {{begins}}",
      known: "Oder der Space eines Ihrer anderen Kurse",
      noneKnown: "Keiner davon",
      look: "Ansehen, was das bedeutet",
      fresh: "Ein neuer Space",
      freshLead: "Ein neuer Space ist leer: Was im alten liegt, ist darin nicht enthalten.",
      lookNew: "Ansehen, was ein neuer bedeutet",
    },
    change: {
      title: "Anderer Space: {{course}}",
      heading: { link: "Diesen Space verknüpfen?", new: "Neuen Space für den Kurs anlegen?" },
      lead: "Noch ist nichts geändert.",
      before: "Der Kurs hat jetzt",
      after: "Er hätte dann",
      none: "Keinen Space",
      fresh: "Einen neuen, leeren Space",
      means: "Was das bedeutet",
      kept: "Der alte Space bleibt mit allem, was darin ist, im Klassenzimmer. Sie können ihn über seine Adresse wieder verknüpfen.",
      grades:
        "Termine, die im alten Space stattfanden, ihre Anwesenheit und die Bewertungen daraus bleiben in diesem Kurs.",
      coming_one:
        "{{count}} bevorstehender Termin ist an den alten Space gebunden: Anwesenheit wird nur dort erfasst. Sagen Sie ihn ab und planen Sie ihn neu.",
      coming_other:
        "{{count}} bevorstehende Termine sind an den alten Space gebunden: Anwesenheit wird nur dort erfasst. Sagen Sie sie ab und planen Sie sie neu.",
      manyComing_one:
        "Mindestens {{count}} bevorstehender Termin ist an den alten Space gebunden: Anwesenheit wird nur dort erfasst. Sagen Sie ihn ab und planen Sie ihn neu.",
      manyComing_other:
        "Mindestens {{count}} bevorstehende Termine sind an den alten Space gebunden: Anwesenheit wird nur dort erfasst. Sagen Sie sie ab und planen Sie sie neu.",
      inside: "Wer jetzt im alten Space ist, bleibt dort bis zum Verlassen.",
      unchecked:
        "Das Klassenzimmer teilt diesem Tool nicht mit, ob es einen Space mit dieser Adresse gibt und wen er einlässt. Treten Sie selbst einmal ein, bevor Ihre Lernenden es tun.",
      access: {
        Public: "Der neue Space ist öffentlich: Alle, die seine Adresse haben, können beitreten.",
        Private:
          "Der neue Space ist nur für Eingeladene. Das Klassenzimmer erfährt, wer zum Kurs gehört, soweit es die Personen jetzt schon kennt. Wer nicht eingelassen wird, etwa weil er später dazukam, den laden Sie im Klassenzimmer selbst ein.",
      },
      waiting: "Der neue Space hat einen Warteraum: Ein Host lässt alle Teilnehmenden einzeln ein.",
      forGood: "Zugang und Warteraum kann dieses Tool danach nicht mehr ändern.",
      shared: "Er ist auch der Space anderer Kurse:",
      sharedMeans:
        "Personen aus all diesen Kursen begegnen sich darin. Ein Termin, den jemand im Klassenzimmer selbst plant, gehört nur zu einem der Kurse; die anderen finden ihn bei den nicht zugeordneten Terminen.",
      share: "Die Kurse dürfen diesen Space teilen",
      unsaid: "Haken Sie das an, wenn Sie es so möchten.",
      button: { link: "Diesen Space verknüpfen", new: "Neuen Space anlegen" },
      back: "Zurück, ohne etwas zu ändern",
    },
  },
  lms: {
    heading: "Was Ihre Lernplattform für diesen Link angibt",
    lead: "Ein Link in der Lernplattform kann benutzerdefinierte Parameter enthalten. Sie haben Vorrang vor den Einstellungen des Kurses; was Sie auf dieser Seite wählen, hat Vorrang vor ihnen.",
    none: "Er enthält keine für das Klassenzimmer.",
    taken: "{{name}}: {{answer}}",
    overruled: "{{name}}: {{answer}}, aber Ihre Auswahl auf dieser Seite hat Vorrang",
    ignored: "Nicht verstanden und ohne Wirkung:",
  },
};
