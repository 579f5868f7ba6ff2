const yesNo = { yes: "Yes", no: "No" };
const everybody = "For everybody.";

/** The settings of a course and of one of its links. */
export const settings = {
  title: "Settings: {{course}}",
  open: "Settings of the classroom",
  back: "Back to the classroom",
  heading: { course: "Settings of the course", link: "Settings of this link only" },
  lead: {
    course:
      "They hold for every link of this course, from the next time somebody enters. People who are inside already are not affected.",
    link: "They hold for the link you came through, from the next time somebody enters it. What you leave at “As in the course” follows the course.",
  },
  scope: { course: "Settings of the course", link: "Settings of this link only" },
  linkDiffers: "This link has settings of its own; they win over the ones here.",
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
        "Puts everything on this page back to what a new course has, except what you say about the Space.",
      link: "Takes back everything that you chose for this link on this page, except what you say about its Space.",
    },
    button: { course: "Reset to defaults", link: "Use the course's settings" },
  },
  groups: {
    enter: "How people enter",
    see: "What they see",
    when: "When learners can enter",
    who: "Who can enter",
    space: "Whom the Space itself lets in",
  },
  inherit: {
    none: "As in the course",
    course: "As in the course ({{answer}})",
    lms: "As your LMS says for this link ({{answer}})",
  },
  fields: {
    mode: {
      label: "Where the classroom opens",
      hint: "A new tab is the most reliable. Inside the course page it may not get camera and microphone; the tool then offers the tab.",
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
    oneSession: "This link is for one session: “around its sessions” means around that one.",
    noSections:
      "Your LMS has not told us any sections or groups of this course, so it can only be open for everybody.",
  },
  space: {
    made: "We made the Space of this course so that anybody with its address can enter, without a waiting room. Whether that was changed in the classroom since cannot be asked of it.",
    notMade:
      "The Space of this course is made when somebody enters for the first time: anybody with its address can enter, without a waiting room.",
    linked:
      "This link opens another Space, {{address}}. Whom it lets in cannot be asked of the classroom, so tell us what you know.",
    unchangeable:
      "The tool cannot change whom a Space lets in after it was made. Do that in the classroom itself, then say so here.",
    ids: "To invite people in the classroom you may need their classroom ids: they are on the page “People and sections”, for everybody who has been prepared for entering.",
    idOf: "Classroom id:",
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
