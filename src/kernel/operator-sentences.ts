/**
 * English sentences by code for operators only: logs, command line, console. `{{names}}` stand for values, which the
 * compiler asks for at `refusal`. Sentences for people in courses are in views/locales/<language>/errors.json.
 */
export const operatorSentences = {
  "mail-server-unreachable":
    "The mail server did not take a mail ({{reply}}), for a reason that concerns all of them. Check SMTP_URL, MAIL_FROM and the server; the mails wait and are tried again by themselves.",
  // The classroom service and its dialect.
  "classroom-address-taken":
    'The classroom service refused to make a second user of this person, as a {{role}}. If it takes each e-mail address once, an operator sets email.ofRole for both roles in the dialect file (CLASSROOM_DIALECT), such as "{local}+{role}@{domain}", or where users have no roles usersHaveRoles to false. Nothing is lost: it is tried again at the next entry.',
  "classroom-busy": "The classroom service asked us to slow down while {{doing}}. Try again in a minute.",
  "classroom-dialect-invalid": "The classroom dialect (CLASSROOM_DIALECT) cannot be used:\n{{problems}}",
  "classroom-key-unusable":
    "CLASSROOM_API_KEY contains characters that no header can carry, such as a line break. Set it again.",
  "classroom-login-elsewhere":
    "The classroom service wants to send people to {{origin}}, which is not CLASSROOM_APP_URL. If that is right, an operator adds the origin to loginOrigins in the dialect file.",
  "classroom-page-elsewhere":
    "The next page of a list is on another host than the classroom service. It was not asked for.",
  "classroom-page-missing": "The classroom service does not know the next page of a list.",
  "classroom-refused":
    "The classroom service refused {{doing}} (status {{status}}){{ways}}. An operator finds the details in the log.",
  "classroom-reply-unreadable":
    "The classroom service answered {{doing}} without {{missing}}. An operator can name its place in the dialect file (CLASSROOM_DIALECT).",
  "classroom-unauthorized":
    "The classroom service refused the API key while {{doing}} (status {{status}}). An operator should check {{variable}}.",
  "classroom-unreachable":
    "The classroom service did not answer while {{doing}} ({{reason}}).{{unknown}} Try again in a minute.",
  "classroom-resting":
    "The classroom service fails or is busy, so work in the background waits for it. It is asked again by itself.",
  "classroom-user-shared":
    "The classroom service made no {{role}} of this person: it answered with a user that is known here in another role, or of a role that nobody knows. If users of this classroom have no roles, an operator sets usersHaveRoles to false in the dialect file; if it finds users again by their e-mail address, the dialect file makes one for each role (email.ofRole).",
  "classroom-wants-email":
    'The classroom service refused to make a user for somebody whose e-mail address the LMS does not tell. If it wants an address, an operator lets the LMS tell this tool addresses, or sets email.synthetic in the dialect file (CLASSROOM_DIALECT), such as "{reference}@learners.example.edu" under a domain of their own.',
  "cohorts-not-listed": "This classroom has no list of cohorts that can be asked for.",
  "dialect-unreadable": "CLASSROOM_DIALECT: {{file}} cannot be read as JSON ({{reason}}).",
  "account-address-refused": "The address {{address}} cannot be used: {{problem}}",
  "account-built-in": "The account {{account}} is made by variables: change them and restart.",
  "account-has-lms": "An LMS uses the account {{account}}. Bind that LMS to another account first.",
  "account-registering":
    "An LMS is registering with the account {{account}} at this moment. Look again in ten minutes.",
  "account-has-courses": "Courses were made with the account {{account}}: their Spaces are there.",
  "account-has-records":
    "People, Spaces, sessions or webhooks of the account {{account}} are stored. Erase those of its LMS first.",
  "account-changed":
    "Somebody else changed the account {{account}} at the same moment. Look at it and try again.",
  "account-exists": "There is an account {{account}} already: choose another id.",
  "account-unknown": "There is no classroom account {{account}}. See: account list",
  "account-key-needed": "With another API address, give the key again.",
  "account-paused":
    "The classroom account {{account}} is paused. Resume it in the console, or with: account resume",
  "environment-off":
    "There is no classroom account {{environment}}. Add it with: account add, or for production and staging set the CLASSROOM_ variables and restart.",
  "throttle-store-unreachable":
    "The shared record of classroom calls cannot be read or written, so no call is made. Check the database.",
  "webhooks-by-hand":
    "The dialect file names no address for setting webhooks (operations.configureWebhook). Set them by hand: {{byHand}}",
  "webhooks-not-set": "{{reason}}\nThe same can be set by hand: {{byHand}}",
  // Work in the background.
  "alert-busy": "An alert changes faster than it can be kept. It is tried again.",
  "claim-lost": "Another process has taken this over.",
  // What the classroom and LMSs send.
  "notice-replayed": "This notice's nonce was used by another one.",
  "too-large": "The body is larger than {{kilobytes}} kB.",
  "account-busy":
    "Too many webhooks of this account are on their way at once, or unfinished. Please send it again.",
  "allowance-used":
    "This account has sent too many webhooks today that nothing here is about. More are taken tomorrow (UTC).",
  busy: "Too many bodies are on their way at once. Please send it again.",
  "too-slow": "The body did not arrive within {{seconds}} seconds. Please send it again.",
  "unknown-encoding": "The body is packed in a way this receiver does not know.",
  "unreadable-body": "The body {{fault}}.",
  "wrong-secret": "The request does not carry the webhook secret of this account as a bearer token.",
  // The database, copies and backups.
  "backup-exists": "{{file}} is there already: choose another name.",
  "backup-failed": "The backup could not be written: {{reason}}.",
  "backup-no-database": "There is no database in {{folder}}: is DATABASE_URL the one the tool runs with?",
  "backup-of-mongodb":
    "This command is for the embedded database. DATABASE_URL is a MongoDB: use {{instead}}, or your provider's backups.",
  "backup-unreadable": "{{file}} is not a whole database of this tool ({{reason}}): take another backup.",
  "bad-database-url":
    "DATABASE_URL must be file:<folder>, such as file:./data, or begin with mongodb:// or mongodb+srv://.",
  "copy-differs":
    'The copy of "{{name}}" is not the same ({{original}} records there, {{copied}} in the copy). Repeat the copy; if that does not help, report it.',
  "copy-source-changed":
    'Somebody wrote into "{{name}}" while it was copied. Stop every process of the tool, then repeat the copy.',
  "copy-target-used":
    "The database of --to has records already. Choose an empty one: nothing there is overwritten.",
  "database-damaged": "{{what}} npm run doctor says what to do.",
  "database-folder":
    "The database folder {{folder}} cannot be written ({{reason}}): give the program's user write access to it, or set DATABASE_URL to another folder.",
  "database-format":
    "The database folder has format {{format}}, and this version reads format 1: start the version that wrote it.",
  "database-gone":
    "A database was made in {{folder}}, but {{file}} is {{state}}. Put it back, or restore a backup (npm run cli -- restore FILE --replace). To begin with a new, empty database instead, delete {{mark}}.",
  "database-incomplete":
    "Another database was being copied into this one and that was not finished. Repeat the copy, or set DATABASE_URL to a complete database.",
  "database-missing":
    "The database folder {{folder}} {{state}}: set DATABASE_URL to the folder that the tool uses, or start the tool once.",
  "database-newer":
    "A newer release of this tool has used the database (its records have version {{version}}, this release knows {{newest}}). Start that release, or restore a backup from before the update.",
  "database-older":
    "The records of the database have version {{version}}, and this release reads version {{newest}}. Start this release of the tool, or run: npm run cli -- prepare",
  "database-unreachable":
    "The MongoDB of DATABASE_URL does not answer ({{reason}}): check its address and credentials.",
  "database-unreadable":
    "{{file}} is not a database of this program, or it is damaged: restore it from a backup.",
  "record-damaged":
    "The database is damaged at {{ids}} of {{collection}}: restore a backup (npm run cli -- restore FILE --replace), or delete what is damaged there (npm run cli -- drop damaged {{collection}}).",
  "restore-exists":
    "There is a database in {{folder}} already. Add --replace to put the backup in its place; the present one is kept beside it.",
  "restore-in-use": "Somebody is using the database in {{folder}}: stop every process of the tool first.",
  "sqlite-old":
    "This Node.js ({{node}}) has SQLite {{version}}, which can lose what one process writes while another works on the same database. Use Node.js 24.15 or newer, or 22.23 or newer of 22; or a MongoDB (DATABASE_URL).",
  "storage-away": "The database does not answer at the moment: try again.",
  "storage-closed": "The database is closed.",
  "storage-failed": "The database could not be read or written ({{reason}}): check its disk.",
  // Keys and secrets.
  "sealed-with-unknown-key":
    "A stored secret cannot be opened with SECRET_KEY or SECRET_KEY_PREVIOUS. Set the key it was sealed with.",
  "secrets-not-resealed":
    "{{unreadable}} key(s) open with neither SECRET_KEY nor SECRET_KEY_PREVIOUS ({{names}}); {{resealed}} were resealed. Set SECRET_KEY_PREVIOUS to the secret they were sealed with, or rotate those keys.",
  "tool-key-exists": "Another instance made this key at the same moment; use that one.",
  // Registering an LMS, and its addresses.
  "bad-address": "{{what}} {{fault}}.",
  "bad-client-id": "The client id must have between 1 and 255 characters.",
  "configuration-unreadable": "The LMS's configuration lacks what a registration needs: {{fields}}.",
  "configuration-unsupported": "The LMS does not support {{needed}}, which the tool needs.",
  "deployment-unknown":
    "The LMS has not been seen with the deployment {{deployment}}. A deployment is listed at its first launch.",
  "endpoint-elsewhere":
    "The configuration at {{from}} wants the registration sent to another host ({{host}}), which is not the LMS's own. Nothing was sent. Check the addresses of the LMS, or enter the tool by hand.",
  "issuer-mismatch":
    "The configuration at {{from}} speaks for another LMS ({{other}}). Register from the LMS itself.",
  "platform-keys-empty":
    "The address of the LMS's key set holds no key that the tool can use. Check the key set address of this registration.",
  "registration-exists":
    "This LMS is registered already with this client id. Nothing was changed; remove or disable the existing registration first if you want to start again.",
  "registration-not-allowed":
    "The LMS {{what}} (status {{status}}){{answer}}. Begin again in the LMS: it lets a registration be tried once and for an hour only, by an administrator.",
  "registration-poses":
    "Another LMS is registered with this client id and this token server. Nothing was changed; ask whoever runs the classroom tool.",
  "registration-refused": "The LMS {{what}} (status {{status}}){{answer}}.",
  "registration-unreadable": "The LMS accepted the registration but did not say the client id.",
  "same-lms-already": "This has been said already, or of another one than {{name}}.",
  "same-lms-deployments":
    "Each of both must have one deployment, so that it is known which is which: {{from}} has {{fromCount}}, {{to}} has {{toCount}}. A deployment is known once a link was opened.",
  "same-lms-itself": "This is one registration, not two.",
  "same-lms-other":
    "{{from}} and {{to}} cannot be the same LMS: issuer ({{fromIssuer}}, {{toIssuer}}), product and classroom environment must be the same.",
  // The LMS's services.
  "column-not-removed": "The old column was not removed: {{reason}}",
  "jwks-empty": "The key set holds no key to verify with.",
  "jwks-status": "The key set answered {{status}}.",
  "ltijs-without-request": "ltijs asked for records outside a request.",
  "no-session-column": "This session has no column of its own in the gradebook.",
  "notices-not-granted":
    "The LMS offers notices but did not give the tool the right to ask for them. Ask your administrator to allow the notice handlers scope for the tool.",
  "probe-token-refused":
    "The LMS refused an access token ({{error}}). Ask your administrator whether the tool is active, whether it may use these services, and whether the tool's key set address is right.",
  "query-not-text": "A query on {{collection}} holds something that is not text.",
  "roster-not-told": "The LMS gave no list of people.",
  // What is asked for.
  "administration-closed":
    "This way into the administration is closed. Open the tool in a course of your LMS again; if it still does not let you in, ask whoever runs the tool.",
  "course-without-lms": "Choose the LMS of that course, too.",
  "name-differs":
    "What you typed is not what was asked for, so nothing was erased. Go back and type it exactly as shown.",
  "no-such-course": "There is no course with this id. Find it by its title first.",
  "no-such-person":
    "Nobody is known by this id: check it, and in which LMS it was given. Who was erased is not known any more.",
  "no-such-registration": "There is no registration {{id}}. Choose one from the list of registrations.",
  "receipt-unknown": "There is no webhook {{id}}.",
  "score-unknown": "There is no score {{id}}.",
  "space-request-unknown": "There is no such request, or not any more.",
  "space-unreadable":
    "This is no address of a Space. Paste one that begins with {{address}}/spaces/, or the id that follows it.",
  "state-missing": "Choose a state first: webhooks of which state are to be processed again?",
  "times-unreadable":
    "The times that are asked for cannot be read, or leave no time in between. Go back and mend them; they are in UTC, like 2026-10-01T08:30.",
} as const;
