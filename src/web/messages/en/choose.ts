/** Deep linking: choosing what a link opens. */
export const choose = {
  title: "Add the classroom to {{course}}",
  heading: "What should the new link open?",
  headingSeveral: "What should the new links open?",
  leadSeveral: "Each one you tick becomes a link of its own.",
  course: "The classroom of this course",
  courseHint: "What most courses need: all links of the course lead into the same room.",
  space: "Another classroom",
  spaceHint: "A room that exists already. Whoever opens the link enters that one.",
  sessions: "One session",
  sessionsSeveral: "Sessions",
  sessionsHint:
    "Opens the classroom of the course, and may have a column for the points of this session alone.",
  noSessions:
    "No session of this course is known yet. Sessions appear here once attendance was marked in them.",
  untimed: "time not known",
  knownSpaces: "Your other courses",
  noneKnown: "None of these",
  spaceAddress: "Or its address or id",
  knownAlone: "A Space of this course or of another one of yours",
  formerSpace: "This course’s Space from before, {{spaceId}}",
  ownOnly: "Your institution allows only Spaces that were made for its courses.",
  name: "Name of the link",
  nameHint: "A session keeps its own name unless you type another one here.",
  nameHintSeveral: "Used when you tick one; several links are named after what they open.",
  column: "With a column in the gradebook",
  columnTaken:
    "Attendance of this course has its column already, and a second one would stay empty. A session's own column is another matter.",
  points: "Points",
  pointsHint: "A whole number from 1 to 100.",
  add: "Add to the course",
  cancel: "Cancel",
  mend: "Please look at this again:",
  names: { link: "Online classroom", session: "Session" },
  problems: {
    nothing: "Choose what the link should open.",
    onlyOne: "Your LMS takes one link at a time here. Choose one.",
    session: "This session is not one of your course. Choose another one.",
    noSpace: "Choose one of your courses, or give the address or id of the other classroom.",
    spaceUnreadable:
      "This is no address of a classroom. Paste one that begins with {{folder}}, or the id that follows it.",
    tooLong: "The name is too long. At most 255 characters fit.",
    points: "Points must be a whole number from 1 to 100.",
  },
  back: {
    title: "Back to your course",
    chosen: "Your choice goes back to your course now.",
    nothing: "Back to your course; nothing was added.",
    button: "Go back to the course",
  },
  handedOver: {
    heading: "Your choice is on its way",
    lead: "The page of your LMS takes it over. You can close this window.",
    closed: "If you have closed that page, send your choice from here.",
  },
  notChosen: {
    heading: "Nothing has been chosen yet",
    lead: "Choose in the window that opened. Then continue here.",
  },
  refused: {
    heading: "Nothing can be added here",
    learner: "Only instructors of a course can add a link to its classroom.",
    noLinks:
      "Your LMS asked for something else than a link, such as a file. This tool offers links to the classroom only.",
    nobody: "Your LMS did not say who you are or which course this is, so no link can be made here.",
  },
  /** The column of all sessions together, where a row must say which column it is about. */
  attendance: "Attendance",
  opens: {
    summary: "What this link opens",
    now: {
      course: "Now: the classroom of this course.",
      space: "Now: another classroom, {{address}}.",
      session: "Now: the session “{{name}}” in the classroom of this course.",
    },
    legend: "From now on this link opens",
    shut: {
      "no-right": "Nobody can enter it: it is not approved for this course, or was closed.",
      "not-own": "Nobody can enter it now.",
    },
    keep: "This session, as before",
    save: "Save",
    saved: "Saved. The link opens what you chose from now on.",
  },
  requests: {
    heading: "Spaces that were asked for",
    open: "Waits for an answer",
    approved: "Approved: give its address above to use it",
    refused: "Refused",
  },
};
