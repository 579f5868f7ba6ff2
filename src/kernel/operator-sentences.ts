/**
 * English sentences by code, only for operators: logs, command line, console. `{{names}}` are values, and the compiler requires
 * them at `refusal`. Sentences for people in courses, and those of alerts, are in views/locales/<language>/errors.json.
 */
export const operatorSentences = {
  "mail-server-unreachable":
    "The mail server refused a mail ({{reply}}) for a reason that affects all mails. Check SMTP_URL, MAIL_FROM and the server. Mails wait and are retried.",
  "excuse-dates": "The first day must be a date, and not after the last one. Nothing was saved.",
  "excuse-too-long": "An excuse covers at most a year. Nothing was saved.",
  "excuse-reason": "An excuse needs a reason of at most 200 characters. Nothing was saved.",
  "excuse-too-many": "This person has 50 excuses that hold. Take one back first.",
  "join-same": "Both are the same account. Enter the user ID of the other one.",
  // The classroom service and its dialect.
  "classroom-address-taken":
    'The classroom service refused to create a second user for this person, as a {{role}}. If it accepts each e-mail address only once, set email.ofRole for both roles in the dialect file (CLASSROOM_DIALECT), such as "{local}+{role}@{domain}". If its users have no roles, set usersHaveRoles to false. Nothing is lost: the next entry tries again.',
  "classroom-busy": "The classroom service asked us to slow down while {{doing}}. Try again in a minute.",
  "classroom-dialect-invalid": "The classroom dialect (CLASSROOM_DIALECT) can't be used:\n{{problems}}",
  "classroom-key-unusable":
    "CLASSROOM_API_KEY has characters that no header can carry, such as a line break. Set it again.",
  "classroom-login-elsewhere":
    "The classroom service wants to send people to {{origin}}, which isn't CLASSROOM_APP_URL. If that's right, add the origin to loginOrigins in the dialect file.",
  "classroom-page-elsewhere":
    "The next page of a list is on another host than the classroom service, so it wasn't requested.",
  "classroom-page-missing": "The classroom service doesn't know the next page of a list.",
  "classroom-refused":
    "The classroom service refused {{doing}} (status {{status}}){{ways}}. The log has the details.",
  "classroom-reply-unreadable":
    "The classroom service answered {{doing}} without {{missing}}. The dialect file (CLASSROOM_DIALECT) can say where it is.",
  "classroom-unauthorized":
    "The classroom service refused the API key while {{doing}} (status {{status}}). Check {{variable}}.",
  "classroom-unreachable":
    "The classroom service didn't answer while {{doing}} ({{reason}}).{{unknown}} Try again in a minute.",
  "classroom-resting":
    "The classroom service fails or is busy, so background work waits. It's retried automatically.",
  "classroom-user-shared":
    "The classroom service created no {{role}} for this person. Its answer is a user with another role here, or an unknown one. If users of this classroom have no roles, set usersHaveRoles to false in the dialect file. If it finds users by their e-mail address, let the dialect file make one address for each role (email.ofRole).",
  "classroom-wants-email":
    'The classroom service refused to create a user for somebody whose e-mail address the LMS doesn\'t share. If it requires an address, let the LMS share addresses with this tool, or set email.synthetic in the dialect file (CLASSROOM_DIALECT). Use your domain, such as "{reference}@learners.example.edu".',
  "cohorts-not-listed": "This classroom offers no list of cohorts.",
  "dialect-unreadable": "CLASSROOM_DIALECT: {{file}} can't be read as JSON ({{reason}}).",
  "account-address-refused": "The address {{address}} can't be used: {{problem}}",
  "account-built-in": "Variables define the account {{account}}. Change them and restart.",
  "account-has-lms": "An LMS uses the account {{account}}. Bind that LMS to another account first.",
  "account-registering":
    "An LMS is registering with the account {{account}} right now. Try again in ten minutes.",
  "account-has-courses": "Courses were created with the account {{account}}, and their Spaces are there.",
  "account-has-records":
    "People, Spaces, sessions or webhooks of the account {{account}} are stored. Erase those of its LMS first.",
  "account-changed":
    "Somebody else changed the account {{account}} at the same moment. Reload and try again.",
  "account-exists": "The ID {{account}} is taken. Choose another one.",
  "account-unknown": "There is no classroom account {{account}}. List them with: account list",
  "account-key-needed": "A new API address needs the key again.",
  "account-paused":
    "The classroom account {{account}} is paused. Resume it in the console, or with: account resume",
  "environment-off":
    "There is no classroom account {{environment}}. Add it with: account add. For production and staging, set the CLASSROOM_ variables and restart.",
  "throttle-store-unreachable":
    "The shared record of classroom calls can't be read or written, so no call is made. Check the database.",
  "webhooks-by-hand":
    "The dialect file has no address for setting webhooks (operations.configureWebhook). Set them by hand: {{byHand}}",
  "webhooks-not-set": "{{reason}}\nYou can also set it by hand: {{byHand}}",
  // Work in the background.
  "alert-busy": "An alert changes faster than it can be stored. It's retried.",
  "claim-lost": "Another process has taken this over.",
  // What the classroom and LMSs send.
  "notice-replayed": "This notice repeats the nonce of another one.",
  "too-large": "The body is larger than {{kilobytes}} kB.",
  "account-busy": "Too many webhooks of this account are arriving or unfinished. Please send it again.",
  "allowance-used":
    "Too many webhooks of this account had no effect here today. More are accepted tomorrow (UTC).",
  busy: "Too many bodies are arriving. Please send it again.",
  "too-slow": "The body didn't arrive within {{seconds}} seconds. Please send it again.",
  "unknown-encoding": "The body is compressed in a way this receiver doesn't know.",
  "unreadable-body": "The body {{fault}}.",
  "wrong-secret": "The request doesn't carry this account's webhook secret as a bearer token.",
  // The database, copies and backups.
  "backup-exists": "{{file}} exists already. Choose another name.",
  "backup-failed": "The backup couldn't be written: {{reason}}.",
  "backup-no-database": "There is no database in {{folder}}. Is DATABASE_URL the one the tool runs with?",
  "backup-of-mongodb":
    "This command is for the embedded database. DATABASE_URL is a MongoDB: use {{instead}}, or your provider's backups.",
  "backup-unreadable": "{{file}} isn't a complete database of this tool ({{reason}}). Use another backup.",
  "bad-database-url":
    "DATABASE_URL must be file:<folder>, such as file:./data, or begin with mongodb:// or mongodb+srv://.",
  "copy-differs":
    'The copy of "{{name}}" differs: {{original}} records in the original, {{copied}} in the copy. Repeat the copy. If that doesn\'t help, report it.',
  "copy-source-changed":
    'Something wrote to "{{name}}" during the copy. Stop every process of the tool, then repeat the copy.',
  "copy-target-used":
    "The database of --to has records already. Choose an empty one; nothing is overwritten.",
  "database-damaged": "{{what}} npm run doctor says what to do.",
  "database-folder":
    "The database folder {{folder}} can't be written ({{reason}}). Give the program's user write access, or set DATABASE_URL to another folder.",
  "database-format":
    "The database folder has format {{format}}, and this version reads format 1. Start the version that wrote it.",
  "database-gone":
    "A database was created in {{folder}}, but {{file}} is {{state}}. Put it back, or restore a backup (npm run cli -- restore FILE --replace). To start with a new, empty database instead, delete {{mark}}.",
  "database-incomplete":
    "A copy into this database wasn't finished. Repeat the copy, or set DATABASE_URL to a complete database.",
  "database-missing":
    "The database folder {{folder}} {{state}}. Set DATABASE_URL to the tool's folder, or start the tool once.",
  "database-newer":
    "A newer release of this tool has used the database (its records have version {{version}}, this release knows {{newest}}). Start that release, or restore a backup from before the update.",
  "database-older":
    "The database's records have version {{version}}, and this release reads version {{newest}}. Start this release of the tool, or run: npm run cli -- prepare",
  "database-unreachable":
    "The MongoDB of DATABASE_URL doesn't answer ({{reason}}). Check its address and credentials.",
  "database-unreadable":
    "{{file}} isn't a database of this program, or is damaged. Restore it from a backup.",
  "record-damaged":
    "The database is damaged at {{ids}} of {{collection}}. Restore a backup (npm run cli -- restore FILE --replace), or delete the damaged records (npm run cli -- drop damaged {{collection}}).",
  "restore-exists":
    "{{folder}} has a database already. Add --replace to restore the backup in its place; the present database stays beside it.",
  "restore-in-use": "The database in {{folder}} is in use. Stop every process of the tool first.",
  "sqlite-old":
    "This Node.js ({{node}}) has SQLite {{version}}, which can lose writes when several processes share a database. Use Node.js 24.15 or newer, 22.23 or newer of 22, or a MongoDB (DATABASE_URL).",
  "storage-away": "The database doesn't answer right now. Try again.",
  "storage-closed": "The database is closed.",
  "storage-failed": "The database couldn't be read or written ({{reason}}). Check its disk.",
  // Keys and secrets.
  "sealed-with-unknown-key":
    "A stored secret can't be opened with SECRET_KEY or SECRET_KEY_PREVIOUS. Set the key that sealed it.",
  "secrets-not-resealed":
    "Keys that neither SECRET_KEY nor SECRET_KEY_PREVIOUS opens: {{unreadable}} ({{names}}). Resealed: {{resealed}}. Set SECRET_KEY_PREVIOUS to the secret that sealed them, or rotate those keys.",
  "tool-key-exists": "Another process created this key at the same moment. Use that one.",
  // Registering an LMS, and the LMS's addresses.
  "bad-address": "{{what}} {{fault}}.",
  "bad-client-id": "The client ID must have 1 to 255 characters.",
  "configuration-unreadable": "The LMS's configuration lacks what a registration needs: {{fields}}.",
  "configuration-unsupported": "The LMS doesn't support {{needed}}, which the tool needs.",
  "deployment-unknown":
    "No launch has come from the deployment {{deployment}} yet. The first launch lists it.",
  "description-not-allowed":
    "Nothing changed: the LMS doesn't let the tool see or change its own description. {{reason}} {{where}}",
  "description-not-taken":
    "Nothing changed: the LMS takes no changes of the tool's description, or no longer knows this registration. Register the tool there again with a new registration address, then say that it is the same LMS.",
  "endpoint-elsewhere":
    "The configuration at {{from}} wants the registration sent to another host ({{host}}), which isn't the LMS's own. Nothing was sent. Check the addresses of the LMS, or enter the tool by hand.",
  "issuer-mismatch":
    "The configuration at {{from}} belongs to another LMS ({{other}}). Register from the LMS itself.",
  "platform-keys-empty":
    "The LMS's key set has no key that the tool can use. Check the key set address of this registration.",
  "registration-exists":
    "This LMS is registered already with this client ID. Nothing changed. To start again, remove or turn off the existing registration first.",
  "registration-not-allowed":
    "The LMS {{what}} (status {{status}}){{answer}}. Begin again in the LMS: it allows an administrator one try, within an hour.",
  "registration-poses":
    "Another LMS is registered with this client ID and this token server. Nothing changed. Ask the operator of the classroom tool.",
  "registration-refused": "The LMS {{what}} (status {{status}}){{answer}}.",
  "registration-unreadable": "The LMS accepted the registration but sent no client ID.",
  "same-lms-already": "This is merged already, or merged with an LMS other than {{name}}.",
  "same-lms-deployments":
    "Each of them must have exactly one deployment: {{from}} has {{fromCount}}, {{to}} has {{toCount}}. A deployment is known once a link was opened.",
  "same-lms-itself": "This is one registration, not two.",
  "same-lms-other":
    "{{from}} and {{to}} can't be the same LMS: issuer ({{fromIssuer}}, {{toIssuer}}), product and classroom environment must match.",
  // The LMS's services.
  "column-not-removed": "The old column wasn't removed: {{reason}}",
  "jwks-empty": "The key set has no key to verify with.",
  "jwks-status": "The key set answered {{status}}.",
  "ltijs-without-request": "ltijs asked for records outside a request.",
  "no-session-column": "This session has no separate column in the gradebook.",
  "notices-not-granted":
    "The LMS offers notices but didn't grant the tool the right to subscribe. Ask your administrator to allow the notice handlers scope for the tool.",
  "probe-token-refused":
    "The LMS refused an access token ({{error}}). Ask your administrator whether the tool is active, may use these services, and has the right key set address.",
  "query-not-text": "A query on {{collection}} holds something that isn't text.",
  "roster-not-told": "The LMS sent no list of people.",
  // The API, and keys to it.
  "api-cursor-unreadable":
    "This cursor isn't one of ours. Take `next` of the page before, unchanged, or leave it out to begin again.",
  "api-key-ended": "This key has ended. Ask the LMS's administrator or the tool's operator for a new one.",
  "api-key-gone": "There is no such key; somebody else may have ended it.",
  "api-key-missing": "Send your key in a header: Authorization: Bearer KEY.",
  "api-key-name": "Say what the key is for, in at most {{longest}} characters.",
  "api-key-unknown":
    "This key is unknown; somebody may have ended it. Check that all of it was copied, or ask the tool's operator for a new one.",
  "api-key-until": "Give the key's last day, like 2027-07-31, within the next two years.",
  "api-keys-many": "This LMS has {{most}} keys. End one that nobody uses, then make this one.",
  "api-limit-unreadable": "The limit is a number from 1 to {{most}}.",
  "api-lms-off":
    "This LMS is switched off or its deployment is refused, so its keys read nothing. Ask the tool's operator.",
  "api-method": "The API only reads: send GET or HEAD.",
  "api-not-found":
    "There is nothing at this address that your key may read. Courses and their ids are at /api/v1/courses.",
  "api-scope-missing": "This key doesn't have the scope {{scope}}. Create a key that has it.",
  "api-too-many":
    "This key asks too often. Wait as long as Retry-After says, and read one page after another.",
  // What somebody asked for.
  "administration-closed":
    "This way into the administration is closed. Open the tool in a course of your LMS again. If it still refuses you, ask the tool's operator.",
  "course-without-lms": "Choose the LMS of that course, too.",
  "name-differs":
    "What you typed doesn't match, so nothing was erased. Go back and type it exactly as shown.",
  "no-such-course": "No course has this ID. Find it by its title first.",
  "no-such-person":
    "Nobody has this ID. Check it, and which LMS it belongs to. Erased people can't be found.",
  "no-such-registration": "There is no registration {{id}}. Choose one from the list of registrations.",
  "receipt-unknown": "There is no webhook {{id}}.",
  "score-unknown": "There is no score {{id}}.",
  "space-request-unknown": "This request is gone.",
  "space-unreadable":
    "This isn't the address of a Space. Paste one that begins with {{address}}/spaces/, or the ID after it.",
  "state-missing": "Choose a state first. Only webhooks in that state are processed again.",
  "times-unreadable":
    "The times can't be read, or leave no time in between. Go back and fix them; they are in UTC, like 2026-10-01T08:30.",
  // Without its database, the tool can't show any page.
  "store-unreachable":
    "The database can't be read or written. Check DATABASE_URL, the database itself and its disk. The tool continues once it's back. The reason: {{reason}}",
} as const;
