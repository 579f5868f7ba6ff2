/** Registering the tool in an LMS. */
export const registration = {
  title: "Register the classroom tool",
  done: "The tool is registered",
  doneText: "{{platform}} and this tool now know each other.",
  next: {
    moodle:
      "The tool stands in Moodle as pending. Close this window, choose Activate there, and then show it in the activity chooser.",
    canvas:
      "Close this window and finish in Canvas: look through what the tool may do, enable it, and switch its key on.",
    other: "If your LMS shows the tool as pending, activate it there. You can close this window.",
  },
  known: "This LMS was registered already",
  knownText:
    "{{platform}} has brought its own settings of the tool up to date. Nothing was changed on this side: courses, grades and addresses are as before.",
  knownOff:
    "The registration is switched off on this side. Ask whoever runs the classroom tool to switch it on; until then launches are refused.",
  hidden: "Moodle hides the tool until you show it",
  hiddenText:
    "Every registration and every update takes the tool out of the activity chooser, so teachers do not find it.",
  withheld: "Not allowed yet",
  withheldText: "The LMS does not let the tool do everything it is for. Allow this in the LMS:",
  close: "Close this window",
  invitation: {
    lead: "Give this address to your LMS, and the two learn all they need of each other. It works once, until",
    staging: "An LMS registered with it uses the classroom's staging environment, for trying things out.",
    address: "Registration address",
    moodle: {
      heading: "In Moodle",
      open: "Open Site administration > Plugins > Activity modules > External tool > Manage tools.",
      paste: "Paste the registration address under Tool URL and choose Add LTI Advantage.",
      activate: "When the window has closed, choose Activate on the tool's card.",
      show: "Open the tool's settings (the pencil) and set Tool configuration usage to Show in activity chooser and as a preconfigured tool.",
      network:
        "Moodle asks this tool for its keys. If it may not reach the tool's address (a private network, or a port other than 80 and 443), allow that under Site administration > General > Security > HTTP security.",
    },
    canvas: {
      heading: "In Canvas",
      open: "As an account administrator, open Admin > Developer Keys > + Developer Key > LTI Registration. Newer Canvas: Admin > Apps > Manage > Install a New App > LTI 1.3, Dynamic Registration.",
      paste: "Paste the registration address and continue.",
      review: "Look through what the tool asks for, leave all services on, and choose Enable & Close.",
      install:
        "If the tool does not appear in courses by itself: Settings > Apps > + App, configuration type By Client ID, with the number of the key. In one course or sub-account the same steps install it there only.",
      json: "Where dynamic registration is not offered: + Developer Key > LTI Key, method Enter URL, with this address. Then tell whoever runs the classroom tool the number of the key.",
      jsonAddress: "Canvas configuration",
    },
    other: {
      heading: "In another LMS",
      open: "Look for LTI 1.3 (LTI Advantage) tools and there for dynamic registration or a registration URL.",
      paste: "Paste the registration address, finish in the window that opens, and activate the tool.",
      scopes: "Let the tool read the course's people and write its grades.",
    },
    byHand: {
      heading: "By hand",
      text: "Where an LMS does not register tools by itself, enter these values. Then give whoever runs the classroom tool what the LMS shows: issuer (platform id), client id, deployment id, and the addresses for authentication, access tokens and public keys.",
      launch: "Tool URL, target link and redirect address",
      login: "Login initiation address",
      keys: "Public key set address",
      logo: "Icon",
      moodleParameters: "Custom parameters, Moodle",
      otherParameters: "Custom parameters, other LMSs",
      scopes: "Services (scopes)",
    },
    copy: "Copy",
    copyWhat: "Copy: {{what}}",
    copied: "Copied: {{what}}",
    copiedShort: "Copied",
    selected: "Selected. Copy it with Ctrl+C, or ⌘C on a Mac.",
  },
  sameLms: {
    open: "Same LMS as an earlier registration",
    heading: "Is this the same LMS as an earlier registration?",
    lead: "When a tool was deleted in an LMS and registered anew, it has another client id and courses begin again with new Spaces. Say which earlier registration this one goes on from, and its courses keep their Spaces, people and grades.",
    none: "No other LMS is registered.",
    which: "Earlier registration",
    look: "Look what it means",
    plan: "What would happen",
    reached:
      "{{name}} is reached by the client id {{fresh}} instead of {{earlier}}, which is refused from then on.",
    lastUsed: "Earlier one last used",
    kept: "Courses that keep their Spaces, people and grades; their columns are looked for again when they are opened",
    moved: "Courses opened since, which go over with all that is in them",
    replaced: "Courses opened under both with nothing in the new one: the earlier one counts",
    conflicts:
      "Courses in use under both: the earlier one counts, and what is in the new one is out of reach",
    once: "It takes some seconds, in which this registration is off, and cannot be undone.",
    confirm: "They are the same LMS",
  },
  audiences: {
    heading: "Tokens that are meant for others, too",
    text: "A launch whose token names another recipient (audience) beside this tool is refused. Name those whom you trust, one a line; usually there are none.",
    label: "Trusted further recipients, one a line",
    save: "Save",
    tooMuch: "At most {{audiences}} lines of {{characters}} characters each. Nothing was saved.",
  },
  family: {
    says: "The LMS calls itself “{{product}}”.",
    unknown: "Learnt from the first launch",
    contradiction:
      "This LMS is treated as {{family}}, but its launches say “{{product}}”. Choose what it is: grades and courses follow each product's own rules.",
    save: "Save the kind of LMS",
    learn: "What the LMS calls itself",
  },
};
