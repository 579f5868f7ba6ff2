/** Why the classroom did not do something, by the code kept beside the stored English sentence (whose shorter form the English is). */
export const trouble = {
  "classroom-address-taken":
    "The classroom refused a second user for this person, perhaps because it takes each e-mail address once. Tell whoever runs this tool; it is tried again at the next entry.",
  "classroom-busy": "The classroom asked us to slow down. Try again in a minute.",
  "classroom-key-unusable": "The classroom's API key cannot be used. Tell whoever runs this tool.",
  "classroom-login-elsewhere":
    "The classroom wants to send people to an address that is not its own. Tell whoever runs this tool.",
  "classroom-page-elsewhere":
    "The next page of a list is on another host than the classroom, so it was not asked for. Tell whoever runs this tool.",
  "classroom-refused": "The classroom refused it. Whoever runs this tool finds the details in its log.",
  "classroom-reply-unreadable": "The classroom's answer cannot be read. Tell whoever runs this tool.",
  "classroom-unauthorized": "The classroom did not accept this tool's API key. Tell whoever runs this tool.",
  "classroom-unreachable": "The classroom did not answer. Try again in a minute.",
  "classroom-wants-email":
    "The classroom takes nobody without an e-mail address, it seems, and the LMS does not tell this person’s. Whoever runs this tool can let the LMS tell addresses, or set one that stands in.",
  "classroom-user-shared":
    "The classroom does not tell this person as a host and as a participant apart. Tell whoever runs this tool.",
  "environment-off": "This environment of the classroom is not set up. Tell whoever runs this tool.",
  "outcome-unknown": "The classroom did not answer as it should, and it is not known whether it took effect.",
  "throttle-store-unreachable": "The tool's database cannot be reached, so the classroom was not asked.",
  unexpected: "Something went wrong on our side.",
};
