/** The question in a copied course. */
export const copied = {
  heading: "This course was copied from {{source}}",
  question: "Use its settings here? The classroom itself is new: nobody and no grade came along.",
  same: "Its settings are the same as here, so there is nothing to decide. The classroom is new: nobody and no grade came along.",
  changes: "What would change:",
  take: "Use these settings",
  decline: "Start fresh",
  understood: "All right",
  answered: {
    taken: "This course now uses the settings of the course it was copied from.",
    declined: "This course keeps its own settings.",
    late: "This question was answered already.",
  },
  settings: {
    mode: {
      tab: "The classroom opens in a new tab.",
      embedded: "The classroom is shown inside the course page.",
    },
    startCall: {
      true: "The call starts when the first instructor comes.",
      false: "The call does not start by itself.",
    },
    startCallForEveryone: {
      true: "Whoever comes first starts the call.",
      false: "Only instructors start the call.",
    },
    skipDeviceSetup: {
      true: "People enter without a check of camera and microphone, with both off.",
      false: "People check camera and microphone before they enter.",
    },
    galleryView: {
      true: "The classroom opens in gallery view.",
      false: "The classroom does not open in gallery view.",
    },
    standalone: {
      true: "There is no way from the classroom to other rooms.",
      false: "Ways from the classroom to other rooms are shown.",
    },
    startLocalRecording: {
      true: "Recording starts with the call, where the browser can record.",
      false: "Recording does not start by itself.",
    },
  },
  language: {
    lms: "The classroom's language follows the LMS.",
    classroom: "The classroom chooses its language.",
    other: "The classroom's language is {{language}}.",
  },
  door: {
    always: "Learners can enter at any time.",
    aroundSessions:
      "Learners can enter from {{before}} minutes before a session until {{after}} minutes after it.",
  },
  noGrades: "Attendance gives no grades.",
  columns: {
    course: "There is one grade for all sessions together.",
    session: "Each session has a grade of its own, and there is none for all together.",
  },
  denominator: {
    "so-far": "The grade is the average of the sessions held so far.",
    planned: "The grade is divided by all sessions planned, the coming ones included.",
    fixed_one: "The grade is divided by {{count}} session.",
    fixed_other: "The grade is divided by {{count}} sessions, however many are held.",
  },
  dropLowest_one: "Each learner's worst session is left out of the grade.",
  dropLowest_other: "Each learner's {{count}} worst sessions are left out of the grade.",
  dropsNone: "No session is left out for being a learner's worst.",
  minimum_one: "There is a grade from the first session that counts.",
  minimum_other: "There is a grade only from {{count}} sessions that count.",
  points: "The grade for attendance has {{points}} points.",
  credit: {
    PRESENT: "Being present counts {{percent}} %.",
    LATE: "Being late counts {{percent}} %.",
    ABSENT: "Being absent counts {{percent}} %.",
    EXCUSED: "Being excused counts {{percent}} %.",
  },
  leftOut: {
    PRESENT: "Sessions somebody was present in are left out of the grade.",
    LATE: "Sessions somebody was late for are left out of the grade.",
    ABSENT: "Sessions somebody was absent from are left out of the grade.",
    EXCUSED: "Sessions somebody was excused from are left out of the grade.",
  },
  comment: {
    true: "How the grade came about is written beside it in the gradebook.",
    false: "Nothing is written beside the grade in the gradebook.",
  },
};
