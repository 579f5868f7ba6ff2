const yesNo = { yes: "Yes", no: "No" };
const everybody = "For everybody.";

/** The settings of a course and of one of its links. */
export const settings = {
  title: "Settings: {{course}}",
  tabs: { label: "Parts of the settings", space: "Space", grades: "Grades", changes: "Changes" },
  heading: { course: "Settings of the course", link: "Settings of this link only" },
  lead: {
    course:
      "They hold for every link of this course, from the next time somebody enters. People who are inside already are not affected.",
    link: "They hold for the link you came through, from the next time somebody enters it. What you leave at “As in the course” follows the course.",
  },
  scope: { course: "Settings of the course", link: "Settings of this link only" },
  linkDiffers: "This link has settings of its own; they win over the ones here.",
  changes: {
    kind: "What kind of changes",
    everything: "All changes",
    kinds: {
      attendance: "Attendance",
      grades: "Grades",
      settings: "Settings and Space",
      sessions: "Sessions",
      people: "People, sections and cohorts",
      recordings: "Recordings",
    },
    show: "Show",
    noneOfKind: "No change of this kind yet.",
  },
  locked: {
    by: "Set by your institution.",
    note: "Some values are set by your institution for all its courses. They are shown here and cannot be changed.",
    aroundSessions:
      "Around its sessions only, from {{before}} minutes before a session to {{after}} minutes after it",
  },
  audit: { course: "{{setting}}: {{value}}", link: "For one link only, {{setting}}: {{value}}" },
  saved: "Saved. It counts from the next time somebody enters.",
  notSaved: "Nothing is saved yet. Look again at what is marked below.",
  conflict: {
    heading: "Somebody else has changed these settings meanwhile",
    lead: "Nothing of yours is saved yet. What they changed:",
    change: "{{field}}: now “{{now}}”, before “{{was}}”",
    unseen: "What you typed is kept. Look through the page and save again.",
    then: "Where only they changed something, the page below has it now; the rest is as you left it. Look through it and save again.",
  },
  save: "Save",
  reset: {
    heading: { course: "Start again", link: "Back to the course's settings" },
    lead: {
      course:
        "Puts everything on this page back to what a new course at your institution has, except what you say about the Space. You see first what that changes.",
      link: "Takes back everything that you chose for this link on this page, except what you say about its Space. You see first what that changes.",
    },
    button: { course: "Reset to defaults", link: "Use the course's settings" },
    question: { course: "Reset to defaults?", link: "Use the course's settings for this link?" },
    changes: "Nothing is changed yet. This is what would be different:",
    same: "That is how it is already, so there is nothing to change.",
    table: "What a reset changes",
    setting: "Setting",
    was: "Now",
    then: "Then",
    back: "Back, and change nothing",
  },
  groups: {
    enter: "How people enter",
    see: "What they see",
    when: "When learners can enter",
    who: "Who can enter",
    space: "Whom the Space itself lets in",
    newSpace: "How the Space is made",
  },
  inherit: {
    none: "As in the course",
    course: "As in the course ({{answer}})",
    lms: "As your LMS says for this link ({{answer}})",
  },
  fields: {
    mode: {
      label: "Where the classroom opens",
      hint: "A new tab is the most reliable. Inside the course page it may not get camera and microphone; the tool then offers the tab. Phones and tablets always get a new tab.",
      who: everybody,
      answers: { tab: "In a new tab", embedded: "Inside the course page" },
    },
    call: {
      label: "The call starts by itself",
      hint: "With the first instructor, or with whoever comes first; else somebody starts it by hand.",
      who: "For instructors; with “when anybody comes” for learners, too.",
      answers: {
        host: "When the first instructor comes",
        anyone: "When anybody comes",
        nobody: "Not by itself",
      },
    },
    skipDeviceSetup: {
      label: "Skip the check of camera and microphone",
      hint: "People then always join with microphone and camera off.",
      who: everybody,
      answers: yesNo,
    },
    startLocalRecording: {
      label: "Recording starts with the call",
      hint: "The recording is made in each person's own browser, and nobody can join the call without allowing it. Phones and tablets cannot record so and join without it.",
      who: everybody,
      answers: yesNo,
    },
    galleryView: {
      label: "Begin in gallery view",
      hint: "Everybody's picture in a grid. While leader mode is on, the leader decides.",
      who: everybody,
      answers: yesNo,
    },
    standalone: {
      label: "Hide the ways out of the classroom",
      hint: "Takes away the navigation to other Spaces, Copy Link and Invite Users. With “No” it is as your institution has set it.",
      who: everybody,
      answers: yesNo,
    },
    language: {
      label: "Language of the classroom",
      hint: "It is passed on to the classroom, which does not tell us the languages it has.",
      who: everybody,
      answers: { lms: "Each person's language in the LMS", classroom: "The classroom chooses" },
    },
    opens: {
      label: "The classroom is open",
      hint: "Who comes earlier sees when it opens and is let in then. Whoever is in stays in.",
      who: "For learners. Instructors can always enter.",
      answers: { always: "At all times", "around-sessions": "Around its sessions only" },
    },
    minutesBefore: { label: "Minutes before a session" },
    minutesAfter: { label: "Minutes after it" },
    who: {
      label: "The classroom is for",
      hint: "Others are told whom it is for. A learner whose section your LMS does not tell can enter.",
      who: "For learners. Instructors can always enter.",
      answers: { all: "Everybody in the course", some: "These sections or groups only" },
    },
    sections: { label: "Sections or groups", none: "none" },
    access: {
      label: "This Space",
      hint: "Learners are told before they enter.",
      answers: {
        unknown: "Lets everybody in, or I do not know",
        "waiting-room": "Has a waiting room",
        "invited-only": "Lets in only people on its list of invited users",
      },
    },
    newAccess: {
      label: "Access",
      hint: "Public: anybody with the address of the Space can join. Only for invited people: when the Space is made, the classroom is told of everybody in the course whom it knows by then. Whoever is not let in, perhaps because they joined later, you invite in the classroom itself.",
      answers: { Public: "Public", Private: "Only for invited people" },
    },
    newWaiting: {
      label: "Waiting room",
      hint: "With a waiting room, a host lets in each participant by hand.",
      answers: yesNo,
    },
  },
  problems: {
    choose: "Choose one of the offered answers.",
    minutes: "A whole number from 0 to {{most}}.",
    sections: "Tick at least one, or choose everybody.",
  },
  door: {
    now: "At the moment:",
    always: "open for learners.",
    session: "open for learners, because a session is on, until",
    "no-session":
      "open for learners, because we know of no session that is still to come. Nobody is locked out by what we do not know.",
    "session-untimed": "open for learners, because we know of a session without knowing its time.",
    early: "closed for learners. It opens at",
    over: "closed for learners, because the link's one session is over.",
    cancelled: "closed for learners, because the link's one session was cancelled.",
    deleted: "closed for learners, because the link's one session was deleted in the classroom.",
    oneSession: "This link is for one session: “around its sessions” means around that one.",
    noSections:
      "Your LMS has not told us any sections or groups of this course, so it can only be open for everybody.",
  },
  preview: {
    heading: "The addresses that come of it",
    lead: "This is where people are sent who come at a computer, from what is chosen above, saved or not. Their login is added when they enter.",
    button: "Show the addresses",
    host: "For an instructor",
    participant: "For a learner",
    notMade: "The Space is not made yet; SPACE-ID stands for the id that it will have.",
    none: "The addresses say nothing else to the classroom.",
    meaning: "What the addresses say",
    who: { both: "For everybody.", host: "For instructors only.", participant: "For learners only." },
    says: {
      startCall: "The call starts by itself when the first instructor joins.",
      skipCallHostCheck: "The call starts for whoever joins first, learners included.",
      skipDeviceSetup: "Nobody is asked to check their devices; microphone and camera are off at first.",
      gv: "Everybody's picture in a grid, unless a leader decides otherwise.",
      standalone: "No ways out to other Spaces, no Copy Link, no Invite Users.",
      startLocalRecording:
        "Recording starts with the call, in each person's browser. On phones and tablets it is left out.",
      broadcastEvents:
        "The classroom tells the page around it about connection, devices and the end of the call.",
    },
    language: {
      fixed: "The classroom is shown in this language: {{language}}.",
      reader: "The classroom is shown in each person's language in the LMS; here it is yours: {{language}}.",
    },
  },
  space: {
    heading: { course: "The Space of this course", link: "The Space of this link" },
    made: "The course has this Space. Anybody who knows its address may try to enter; whom it lets in can be seen and changed in the classroom only.",
    notMade: "The Space of this course is not made yet.",
    linked:
      "This link opens another Space, {{address}}. Whom it lets in cannot be asked of the classroom, so tell us what you know.",
    forGood:
      "The course has no Space yet; it is made soon after the first instructor has opened the classroom. What you choose here holds if it is saved before; afterwards this tool cannot change it, only somebody in the classroom itself can.",
    unchangeable:
      "The tool cannot ask or change whom a Space lets in after it was made. Do that in the classroom itself, then say so here.",
    ids: "To invite people in the classroom you may need their classroom ids: they are on the page “People”, for everybody who has been prepared for entering.",
    idOf: "Classroom id:",
    former:
      "Before, the course had these Spaces. They are still in the classroom, and sessions held there belong to this course.",
    late: "Somebody else has given this course another Space meanwhile. Nothing of yours is changed; this is how it is now.",
    notes: {
      linked: "The course has this Space now. People enter it from the next time on.",
      tooLate:
        "The Space was made while this page was open, as it was set before. If it should have another access or waiting room, make a new Space below.",
      made: "The course has a new Space. People enter it from the next time on.",
    },
    problems: {
      missing: "Paste the address of a Space, or choose one from the list.",
      unreadable:
        "This is no address of a Space of your classroom. Paste one that begins with {{appUrl}}/spaces/, or the id that follows it.",
      own: "The course has this Space already.",
    },
    another: {
      open: "Use another Space",
      heading: "Another Space for this course",
      lead: "It is for the whole course. You see what it means before anything is changed.",
      now: "The course has this Space now:",
      none: "The course has no Space yet. If you link none, one is made when somebody enters for the first time.",
      existing: "A Space that exists already",
      address: "Address or id of the Space",
      hint: "Its address begins with {{begins}}",
      known: "Or the Space of another course of yours",
      noneKnown: "None of them",
      look: "Look what it means",
      fresh: "A new Space",
      freshLead: "A new Space is empty: nothing that was put into the old one is in it.",
      lookNew: "Look what a new one means",
    },
    change: {
      title: "Another Space: {{course}}",
      heading: { link: "Link this Space to the course?", new: "Make a new Space for the course?" },
      lead: "Nothing is changed yet.",
      before: "The course has now",
      after: "It would have",
      none: "No Space",
      fresh: "A new, empty Space",
      means: "What it means",
      kept: "The old Space stays in the classroom with everything in it. You can link it again by its address.",
      grades:
        "Sessions held in the old Space, their attendance and the grades from them stay in this course.",
      coming_one:
        "{{count}} session to come is tied to the old Space: attendance is taken there only. Cancel it and plan it anew.",
      coming_other:
        "{{count}} sessions to come are tied to the old Space: attendance is taken there only. Cancel them and plan them anew.",
      manyComing_one:
        "At least {{count}} session to come is tied to the old Space: attendance is taken there only. Cancel it and plan it anew.",
      manyComing_other:
        "At least {{count}} sessions to come are tied to the old Space: attendance is taken there only. Cancel them and plan them anew.",
      inside: "Whoever is in the old Space now stays there until they leave.",
      unchecked:
        "The classroom does not tell this tool whether a Space with this address exists, or whom it lets in. Enter it yourself once before your learners do.",
      access: {
        Public: "The new Space is public: anybody with its address can join.",
        Private:
          "The new Space is only for invited people. The classroom is told of everybody in the course whom it knows by now. Whoever is not let in, perhaps because they joined later, you invite in the classroom itself.",
      },
      waiting: "The new Space has a waiting room: a host lets in each participant by hand.",
      forGood: "Access and waiting room cannot be changed by this tool afterwards.",
      shared: "It is the Space of other courses, too:",
      sharedMeans:
        "People of all these courses meet in it. A session that somebody plans in the classroom itself belongs to one of the courses only; the others find it with the sessions that are not matched.",
      share: "The courses may share this Space",
      unsaid: "Tick this if you want it so.",
      button: { link: "Link this Space", new: "Make a new Space" },
      back: "Back, and change nothing",
    },
  },
  lms: {
    heading: "What your LMS says for this link",
    lead: "A link in the LMS can carry custom parameters. They win over the course's settings; what you choose on this page wins over them.",
    none: "It carries none for the classroom.",
    taken: "{{name}}: {{answer}}",
    overruled: "{{name}}: {{answer}}, but your choice on this page wins",
    ignored: "Not understood, and without effect:",
  },
};
