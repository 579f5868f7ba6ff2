export const errors = {
  "alert-unknown": "Diese Meldung gehört nicht mehr zum Kurs.",
  "anonymous-launch":
    "Ihre Lernplattform hat nicht mitgeteilt, wer Sie sind, deshalb kann das Klassenzimmer Sie nicht einlassen. Melden Sie sich mit Ihrem eigenen Konto in der Lernplattform an und öffnen Sie den Link noch einmal; wenn das nicht hilft, bitten Sie Ihre Administration, diesem Tool die IDs der Personen mitzuteilen.",
  "attempts-exhausted": "Die Aufgabe erlaubt in Canvas keine weiteren Versuche.",
  "bad-request":
    "Die Anfrage konnte nicht verstanden werden. Gehen Sie zurück und versuchen Sie es noch einmal.",
  "browser-unknown":
    "Ihr Browser hat das Cookie nicht behalten, das diesen Aufruf schützt. Öffnen Sie den Link in einem neuen Fenster, oder erlauben Sie Cookies für das Klassenzimmer und versuchen Sie es noch einmal.",
  "claim-lost": "Die Spalten werden gerade von einem anderen Prozess angelegt.",
  "client-id-missing":
    "Für diese Lernplattform gibt es mehrere Registrierungen, und sie hat nicht mitgeteilt, welche gemeint ist. Bitten Sie Ihre Administration, die Client-ID des Tools einzutragen.",
  "cohort-deleted": "Diese Kohorte wurde im Klassenzimmer gelöscht. Wählen Sie eine andere.",
  "cohort-unknown": "Diese Kohorte ist hier nicht bekannt. Wählen Sie eine aus der Liste.",
  "course-gone":
    "Das LMS kennt das Notenbuch dieses Kurses nicht mehr: Der Kurs ist beendet oder wurde entfernt. Wird er wieder geöffnet, werden die Bewertungen innerhalb eines Tages von selbst gesendet.",
  "not-applicable":
    "In Canvas ist diese Aufgabe nicht für diese Person: Sie ist nur anderen zugewiesen. Weisen Sie sie allen zu und senden Sie die Bewertung dann erneut.",
  "being-moderated":
    "Die Aufgabe wird in Canvas moderiert und nimmt keine Bewertungen an, bis sie dort freigegeben sind. Senden Sie die Bewertung dann erneut.",
  "column-unpublished":
    "Die Aufgabe ist in Canvas nicht veröffentlicht. Veröffentlichen Sie sie und senden Sie die Bewertung dann noch einmal.",
  "corrections-not-allowed":
    "Ihre Rolle in diesem Kurs umfasst nicht, die Anwesenheit zu ändern oder wie Bewertungen entstehen. Fragen Sie Lehrende des Kurses, oder lassen Sie es von Ihrer Administration für Ihre Rolle erlauben.",
  "course-concluded":
    "Der Kurs ist in Canvas beendet, deshalb nimmt sein Notenbuch keine Bewertungen mehr an.",
  "course-unknown": "Dieser Kurs ist nicht mehr bekannt.",
  "deployment-refused":
    "Das Tool wurde an einer Stelle installiert, die noch nicht freigegeben ist. Bitten Sie Ihre Administration, sie in der Konsole des Klassenzimmers anzunehmen.",
  "dialog-over":
    "Dieser Dialog war zu lange geöffnet. Schließen Sie ihn und wählen Sie den Inhalt in Ihrer Lernplattform noch einmal aus.",
  "door-closed":
    "Das Klassenzimmer ist für Sie im Moment nicht geöffnet. Öffnen Sie den Link in Ihrem Kurs noch einmal, um zu sehen, wann es öffnet.",
  "entry-unknown":
    "Dieser Kurs ist nicht mehr bekannt. Öffnen Sie den Link in Ihrer Lernplattform noch einmal.",
  "feedback-empty": "Wählen oder schreiben Sie zuerst etwas, oder schließen Sie diese Seite einfach.",
  "feedback-not-taken":
    "Ihre Antwort konnte nicht gespeichert werden: Für diesen Unterricht werden von hier keine Antworten angenommen. Sie müssen nichts weiter tun.",
  "feedback-too-often":
    "Von hier sind zu viele Antworten gekommen. Warten Sie zehn Minuten und senden Sie Ihre noch einmal, oder schließen Sie diese Seite einfach.",
  "foreign-form":
    "Dieses Formular wurde nicht von einer Seite des Klassenzimmers gesendet, deshalb wurde nichts geändert. Öffnen Sie den Link zum Klassenzimmer in Ihrem Kurs noch einmal und wiederholen Sie, was Sie tun wollten.",
  "grade-locked":
    "Die Spalte oder diese Bewertung ist im Notenbuch von Moodle gesperrt. Entsperren Sie sie dort und senden Sie die Bewertung dann noch einmal.",
  "grades-not-allowed":
    "Ihre Rolle in diesem Kurs umfasst nicht, Anwesenheit und Bewertungen zu sehen. Fragen Sie Lehrende des Kurses, oder lassen Sie es von Ihrer Administration für Ihre Rolle erlauben.",
  "grading-period-closed":
    "Der Bewertungszeitraum dieser Spalte ist in Canvas geschlossen, deshalb nimmt sie keine Bewertungen mehr an. Die Administration kann ihn wieder öffnen.",
  "instructors-only": "Das können nur Lehrende dieses Kurses.",
  "invitation-expired":
    "Diese Registrierungsadresse ist abgelaufen. Bitten Sie die Stelle, die das Klassenzimmer-Tool betreibt, um eine neue.",
  "invitation-missing":
    "In dieser Adresse fehlt die Einladung. Bitten Sie die Stelle, die das Klassenzimmer-Tool betreibt, um eine Registrierungsadresse und fügen Sie sie vollständig ein.",
  "invitation-used":
    "Mit dieser Adresse wurde schon ein LMS registriert, und sie gilt nur einmal. Bitten Sie um eine neue, um ein weiteres LMS zu registrieren.",
  "launch-expired":
    "Dieser Aufruf ist zu alt oder wurde schon verwendet. Öffnen Sie den Link in Ihrem Kurs noch einmal.",
  "launch-incomplete":
    "Ihre Lernplattform hat etwas weggelassen, das zu einem Aufruf gehört. Bitten Sie Ihre Administration, die Einstellungen des Tools zu prüfen.",
  "launches-many":
    "Im Moment öffnen sehr viele Personen das Klassenzimmer. Warten Sie eine halbe Minute und öffnen Sie den Link in Ihrem Kurs noch einmal.",
  "launch-used": "Dieser Aufruf wurde schon verwendet. Öffnen Sie den Link in Ihrem Kurs noch einmal.",
  "launch-without-course":
    "Dieser Link wurde außerhalb eines Kurses geöffnet. Öffnen Sie ihn von einer Kursseite aus.",
  "learner-unknown": "Diese Person war nie in diesem Kurs.",
  "line-item-elsewhere":
    "Die Lernplattform nennt für die Bewertungsspalte eine Adresse auf einem anderen Server als für ihre Spaltenliste, deshalb wird dorthin keine Bewertung gesendet. Bitten Sie Ihre Administration, dass die Lernplattform für sich nur eine Adresse verwendet (hinter einem Proxy die, die Browser sehen). Es geht nichts verloren: Die Bewertungen werden dann von selbst gesendet.",
  "link-unknown":
    "Diese Seite gehört zu keinem Link Ihres Kurses. Öffnen Sie den Link in Ihrem Kurs noch einmal.",
  "lms-busy": "Die Lernplattform hat uns gebeten zu warten.",
  "lms-closed":
    "Die Lernplattform ist im Moment geschlossen, vermutlich zur Wartung. Wir sehen von selbst wieder nach.",
  "lms-failed": "Bei der Lernplattform ist ein Fehler aufgetreten.",
  "lms-key-refused":
    "Die Lernplattform nimmt den Schlüssel des Tools im Moment nicht an. Wir versuchen es von selbst wieder; nichts geht verloren. Wenn es so bleibt, fragen Sie Ihre Administration, ob das Tool in der Lernplattform eingeschaltet ist, ob sie die Schlüssel des Tools lesen kann und ob die Uhren richtig gehen.",
  "lms-list-broken":
    "Die Seiten einer Liste der Lernplattform führen im Kreis oder zu einer anderen Adresse, oder sie enden nicht.",
  "lms-moved":
    "Die Lernplattform verweist auf eine andere Adresse. Vielleicht wird sie gerade gewartet; wenn sie umgezogen ist, muss ihre Adresse in der Registrierung des Tools geändert werden.",
  "lms-not-allowed":
    "Die Lernplattform erlaubt dem Tool das nicht. Bitten Sie Ihre Administration, diesen Dienst für das Tool freizugeben.",
  "lms-not-found": "Die Lernplattform kennt nicht mehr, wonach sie gefragt wurde.",
  "lms-refused": "Die Lernplattform hat die Anfrage abgelehnt.",
  "lms-reply-unreadable": "Die Lernplattform hat etwas geantwortet, das nicht gelesen werden kann.",
  "lms-token-refused":
    "Die Lernplattform hat ein Zugriffstoken verweigert. Fragen Sie Ihre Administration, ob das Tool aktiv ist, ob es diese Dienste nutzen darf und ob die Adresse der Schlüssel des Tools stimmt.",
  "lms-token-unavailable": "Die Lernplattform gibt im Moment kein Zugriffstoken aus.",
  "lms-unreachable": "Die Lernplattform hat nicht geantwortet.",
  "login-incomplete":
    "Ihre Lernplattform hat etwas weggelassen, das sie beim Öffnen eines Links senden muss. Bitten Sie Ihre Administration, die Einstellungen des Tools zu prüfen.",
  "members-only": "Nur Personen dieses Kurses können seine Termine sehen.",
  "message-unsupported":
    "Das Klassenzimmer kennt diese Art von Link nicht. Bitten Sie Ihre Lehrperson, ihn noch einmal als externes Tool hinzuzufügen.",
  "no-grade-service":
    "Die Lernplattform lässt dieses Tool in diesem Kurs keine Bewertungen eintragen. Bitten Sie Ihre Administration, dem Tool die Übertragung von Bewertungen und die Verwaltung von Spalten zu erlauben, und öffnen Sie dann einmal den Link im Kurs.",
  "no-grades": "In diesem Kurs gibt es keine Bewertungen.",
  "no-return-address":
    "Ihre Lernplattform hat keine Adresse für den Rückweg angegeben. Schließen Sie diesen Dialog dort.",
  "nonce-used": "Dieser Aufruf wurde schon verwendet. Öffnen Sie den Link in Ihrem Kurs noch einmal.",
  "not-a-launch":
    "Diese Adresse wird von Ihrer Lernplattform geöffnet. Öffnen Sie das Klassenzimmer über den Link in Ihrem Kurs.",
  "not-gradable":
    "Die Lernplattform nimmt für diese Person keine Bewertung an: Sie nimmt nicht (mehr) aktiv am Kurs teil oder lehrt darin, oder der Kurs ist nicht veröffentlicht.",
  "not-in-course":
    "Ihre Lernplattform meldet, dass Sie nicht mehr in diesem Kurs sind. Wenn das nicht stimmt, öffnen Sie den Link in Ihrer Lernplattform noch einmal.",
  "over-maximum":
    "Die Lernplattform nimmt keine Bewertung über der Höchstpunktzahl der Spalte an. Lassen Sie die Regel für die Bewertung nicht mehr als diese ergeben, oder erlauben Sie für die Spalte Zusatzpunkte.",
  "person-unknown": "Diese Person ist nicht mehr bekannt.",
  "platform-inactive":
    "Diese Lernplattform ist im Klassenzimmer-Tool ausgeschaltet. Wenden Sie sich an Ihre Administration.",
  "platform-keys-unreachable":
    "Ihre Lernplattform liefert ihre Schlüssel gerade nicht. Warten Sie eine Minute und öffnen Sie den Link noch einmal.",
  "platform-launch-expired":
    "Ihre Lernplattform meldet, dass dieser Aufruf nicht mehr gültig ist. Laden Sie die Kursseite neu und öffnen Sie den Link noch einmal.",
  "platform-login-hidden":
    "Ihre Lernplattform meldet, dass Sie nicht angemeldet sind. Vielleicht verbirgt Ihr Browser Ihre Anmeldung vor einer Seite innerhalb einer anderen: Öffnen Sie den Link in einem neuen Fenster. Wenn das nicht hilft, melden Sie sich in Ihrer Lernplattform an und öffnen Sie den Link noch einmal.",
  "platform-login-required":
    "Ihre Lernplattform meldet, dass Sie nicht angemeldet sind. Melden Sie sich dort an und öffnen Sie den Link noch einmal.",
  "platform-refused":
    "Ihre Lernplattform hat das Öffnen des Klassenzimmers verweigert. Versuchen Sie es noch einmal; wenn es wieder geschieht, wenden Sie sich an Ihre Administration.",
  "platform-unknown":
    "Diese Lernplattform ist im Klassenzimmer-Tool nicht registriert. Bitten Sie Ihre Administration, sie zu registrieren.",
  "recording-unavailable":
    "Das Klassenzimmer sagt nicht, wo diese Aufzeichnung ist. Betreten Sie den Space und suchen Sie sie dort.",
  "recording-unknown":
    "Diese Aufzeichnung gehört nicht mehr zum Kurs. Gehen Sie zurück zu den Aufzeichnungen.",
  "registration-unknown": "Dieses LMS ist nicht mehr registriert.",
  "request-malformed":
    "So eine Anfrage sendet keine Lernplattform. Öffnen Sie das Klassenzimmer über den Link in Ihrem Kurs.",
  "review-of-somebody-else":
    "Sie können nur Ihre eigene Anwesenheit sehen. Öffnen Sie das Klassenzimmer über den Link in Ihrem Kurs.",
  "roster-empty":
    "Die Lernplattform hat eine leere Personenliste gesendet, deshalb wurde nichts geändert. Fragen Sie Ihre Administration, ob das Tool sehen darf, wer im Kurs ist.",
  "roster-given-up":
    "Die Liste konnte auch nach vielen Versuchen nicht gelesen werden. Lesen Sie sie erneut; wenn das nicht hilft, wenden Sie sich an die Stelle, die dieses Tool betreibt.",
  "scope-not-granted":
    "Die Lernplattform hat dem Tool nicht das Recht gegeben, das im Notenbuch zu tun. Bitten Sie Ihre Administration, dem Tool die Übertragung von Bewertungen und die Verwaltung von Spalten zu erlauben, und öffnen Sie dann einmal den Link im Kurs.",
  "section-linked-already":
    "Jemand hat diesen Abschnitt inzwischen mit einer anderen Kohorte verknüpft. Sehen Sie sich die Seite noch einmal an; lösen Sie zuerst jene Verknüpfung, wenn sie falsch ist.",
  "session-changed-meanwhile":
    "Jemand anderes ändert gerade diesen Termin. Öffnen Sie ihn noch einmal und sehen Sie sich an, wie er jetzt ist.",
  "signed-out":
    "Sie haben sich abgemeldet. Um zurückzukommen, öffnen Sie den Link zum Klassenzimmer in Ihrem Kurs noch einmal.",
  "role-changed":
    "Ihre Lernplattform sagt, dass sich Ihre Rolle in diesem Kurs geändert hat. Öffnen Sie den Link in Ihrem Kurs noch einmal.",
  "launch-again":
    "Ihre Lernplattform muss noch einmal sagen, was Sie in diesem Kurs dürfen. Öffnen Sie den Link in Ihrem Kurs noch einmal.",
  "ended-by-administrator":
    "Die Administration hat Sie abgemeldet. Um zurückzukommen, öffnen Sie den Link zum Klassenzimmer in Ihrem Kurs noch einmal.",
  "too-many-sessions":
    "Sie haben das Klassenzimmer zu oft zugleich geöffnet, deshalb wurden die ältesten Seiten geschlossen. Öffnen Sie den Link zum Klassenzimmer in Ihrem Kurs noch einmal.",
  "session-over":
    "Diese Seite ist zu alt. Gehen Sie zurück zu Ihrem Kurs und öffnen Sie den Link zum Klassenzimmer noch einmal.",
  "set-by-institution":
    "Einen dieser Werte hat Ihre Einrichtung für alle ihre Kurse festgelegt, er lässt sich hier nicht ändern. Öffnen Sie die Seite noch einmal und ändern Sie die anderen.",
  "space-elsewhere":
    "Der Klassenraum-Dienst hat den Space dieses Kurses unter einer Adresse angelegt, zu der dieses Tool niemanden schickt. Der Space bleibt erhalten und öffnet sich, sobald der Betrieb dieses Tools die Adresse geklärt hat; im Kurs ist sonst nichts zu tun.",
  "space-id-unusable":
    "Dieser Space hat keine verwendbare ID. Wählen Sie den Space des Kurses noch einmal aus.",
  "space-id-taken":
    "Der Klassenzimmer-Dienst hat einem neuen Space die Kennung eines schon vorhandenen gegeben. Niemand wurde eingelassen; sagen Sie es denen, die den Dienst betreiben.",
  "own-spaces-only":
    "Ihre Einrichtung lässt Kurse nur Spaces nutzen, die für ihre Kurse angelegt wurden; wenden Sie sich an die Administration Ihres LMS, wenn Ihr Kurs einen anderen braucht.",
  "space-needs-approval":
    "Dieser Space wurde nicht für Ihren Kurs angelegt und muss deshalb freigegeben werden, bevor Ihr Kurs ihn nutzen kann. Ihre Anfrage ist notiert; darüber entscheidet die Administration Ihres LMS oder der Betrieb dieses Tools.",
  "space-list-refused":
    "Der Space dieses Kurses lässt nur Personen ein, die auf seiner Liste stehen, und das Klassenzimmer hat Sie nicht daraufgesetzt. Bitten Sie Ihre Lehrperson, Sie im Klassenzimmer einzuladen, oder versuchen Sie es später noch einmal.",
  "space-not-approved":
    "Der hier eingestellte Space ist für diesen Kurs nicht freigegeben oder wurde geschlossen. Eine Lehrperson kann unter Einstellungen, Space einen anderen wählen.",
  "space-not-own":
    "Ihre Einrichtung lässt Kurse nur Spaces nutzen, die für ihre Kurse angelegt wurden; der hier eingestellte gehört nicht dazu. Eine Lehrperson kann dem Kurs unter Einstellungen, Space seinen eigenen geben; mehr weiß die Administration Ihres LMS.",
  "space-requests-full":
    "Es warten schon so viele Anfragen dieses Kurses auf eine Antwort, dass keine weiteren angenommen werden. Bitten Sie die Administration Ihres LMS, sie zu beantworten.",
  "still-being-made": "Das wird noch vorbereitet. Bitte versuchen Sie es in einer Minute noch einmal.",
  "storage-busy": "Ein anderer Prozess hält die Datenbank: Versuchen Sie es noch einmal.",
  "storage-full": "Der Datenträger mit dem Datenbankordner ist voll: Schaffen Sie Platz.",
  "survey-over":
    "Diese Seite ist zu alt, um noch zu antworten. Es wurde nichts gespeichert, und Sie müssen nichts weiter tun.",
  "target-changed":
    "Der Link wurde geändert, während er geöffnet wurde. Öffnen Sie ihn in Ihrem Kurs noch einmal.",
  "target-foreign":
    "Dieser Link führt zu einer anderen Adresse als der des Klassenzimmer-Tools. Bitten Sie Ihre Lehrperson, den Link noch einmal hinzuzufügen.",
  "token-algorithm":
    "Ihre Lernplattform hat den Aufruf auf eine Weise signiert, die nicht sicher genug ist. Bitten Sie Ihre Administration, RS256 zu wählen.",
  "token-audience":
    "Der Aufruf war für ein anderes Tool bestimmt. Bitten Sie Ihre Administration, die Client-ID zu prüfen.",
  "token-expired": "Dieser Aufruf ist abgelaufen. Öffnen Sie den Link in Ihrem Kurs noch einmal.",
  "token-issuer":
    "Der Aufruf nennt eine andere Lernplattform als die, von der er ausging. Öffnen Sie den Link in Ihrem Kurs noch einmal.",
  "token-key-unknown":
    "Der Aufruf wurde mit einem Schlüssel signiert, den Ihre Lernplattform nicht veröffentlicht. Bitten Sie Ihre Administration, die Schlüsselsatz-Adresse des Tools zu prüfen.",
  "token-malformed":
    "Ihre Lernplattform hat eine Nachricht gesendet, die nicht lesbar ist. Öffnen Sie den Link noch einmal; wenn es wieder geschieht, wenden Sie sich an Ihre Administration.",
  "token-nonce":
    "Dieser Aufruf passt nicht zur gestellten Anfrage. Öffnen Sie den Link in Ihrem Kurs noch einmal.",
  "token-signature":
    "Der Aufruf wurde nicht von Ihrer Lernplattform signiert. Öffnen Sie den Link in Ihrem Kurs noch einmal.",
  "token-times":
    "Die Zeiten in diesem Aufruf passen nicht zur jetzigen Zeit. Öffnen Sie den Link noch einmal; wenn es wieder geschieht, geht vielleicht die Uhr Ihrer Lernplattform falsch.",
  "too-many-requests":
    "Aus Ihrem Netz kamen in kurzer Zeit zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es noch einmal.",
  "user-matched-already":
    "Dieses Klassenzimmer-Konto gehört hier schon jemandem. Öffnen Sie die Liste noch einmal, um den jetzigen Stand zu sehen.",
};
