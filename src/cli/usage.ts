/** What is printed when a command cannot be understood. */
export const usage = `Usage: npm run cli -- <command> [--json]

  invite [--environment production|staging] [--hours 72]
      Prints a one-time registration address for an LMS administrator.
  platform add --issuer URL --client-id ID --auth-url URL --token-url URL --jwks-url URL
      [--deployment-id ID] [--new-deployments accept|refuse] [--family moodle|canvas|other]
      [--token-audience TEXT] [--environment production|staging] [--name TEXT]
      Adds an LMS by hand.
  platform list
  platform disable ID | platform enable ID
  platform deployments ID
      Lists where the tool was installed in an LMS, and when each place was first seen.
  platform deployment ID DEPLOYMENT accept|refuse
  platform new-deployments ID accept|refuse
      Says what happens to launches from a place not seen yet.
  platform test ID
      Tries keys, launch, token, roster, columns and results; names what is not allowed. Ends with 1 if something fails.
  keys rotate ID [--now]
      Brings in the next signing key towards an LMS. --now withdraws the present one at once.
  keys reseal
      Seals all stored secrets under the current SECRET_KEY, so that SECRET_KEY_PREVIOUS can be dropped.
  jobs
      Lists what happens by the clock: when it last ran, what came of it, when it runs next. Ends with 1 if something failed.
  doctor [--environment production|staging] [--create [--space ID]]
      Looks whether the classroom, its key, this tool's address and the dialect fit together, and says what to mend.
      Changes nothing; --create makes a user, a Space (or takes ID) and an event, which shows more. Ends with 1 if
      something is wrong.
  webhooks connect [--environment production|staging]
      Tells the classroom to send its webhooks to this tool, with the configured secret.
  config canvas|moodle [--public-url URL]
      Prints what an LMS administrator enters: Canvas's configuration, or the values for Moodle.`;
