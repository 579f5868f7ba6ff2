/** What an institution sets for the courses of its LMS, in the operator's console. */
export const institution = {
  heading: "Defaults for the courses of {{name}}",
  open: "Defaults for its courses",
  openLead: "What courses of this LMS begin with, and what instructors cannot change.",
  back: "Back to the LMS",
  lead: "For each value you can set nothing, a default or a lock.",
  means: {
    default:
      "A default is what new courses begin with, and what instructors get when they reset their settings. Courses that exist already keep what they have.",
    locked_one:
      "A lock holds at once in every course, the one that exists already included, and over what is chosen for single links. Instructors see the value and cannot change it. When you take the lock away, a course has its own value again.",
    locked_other:
      "A lock holds at once in every course, the {{count}} that exist already included, and over what is chosen for single links. Instructors see the value and cannot change it. When you take the lock away, a course has its own value again.",
    grades:
      "When you lock something about grades, the grades of all courses are computed anew and sent to their gradebooks. Grades that teachers changed there by hand are left alone where the LMS tells them.",
  },
  states: {
    unset: "Not set",
    default: "Default: instructors may change it",
    locked: "Locked: instructors cannot change it",
  },
  stateOf: "{{rule}}: how it is set",
  value: "Value",
  groups: {
    entering: "How people enter",
    space: "How Spaces are made",
    door: "When learners can enter",
    grades: "How grades come about",
  },
  rules: {
    mode: "Where the classroom opens",
    call: "The call starts by itself",
    skipDeviceSetup: "Skip the check of camera and microphone",
    galleryView: "Begin in gallery view",
    standalone: "Hide the ways out of the classroom",
    language: "Language of the classroom",
    startLocalRecording: "Recording starts with the call",
    newSpace: "Access and waiting room of new Spaces",
    doorTimes: "The classroom is open",
    kind: "Grades in the gradebook",
    points: "Maximum points",
    credit: "What a session earns",
    denominator: "What is divided by",
    dropLowest: "Worst sessions that do not count",
    minimumSessions: "Grade from how many sessions on",
    comment: "Explanation in the gradebook",
  },
  spaces: {
    label: "Which Spaces courses may use",
    approved: "Their own, and others that were approved",
    own: "Only Spaces that were made for courses of this LMS",
    hint: "With “only”, other Spaces are neither linked nor entered, not even approved ones, and nobody can ask for them. Nothing is deleted: allowed again, they are as they were.",
  },
  staff: {
    heading: "Staff who do not teach",
    lead: "Course designers and others whom the LMS calls neither teacher nor student may arrange a course: its settings, sessions, people and recordings. Whether they also see and change attendance and grades is for you to say; it holds at once in every course.",
    roles: {
      developer: "Course designer (ContentDeveloper)",
      administrator: "Administrator of a course",
      manager: "Manager of a course",
    },
    levels: { arrange: "Arrange the course; no attendance, no grades", teach: "All that teachers may" },
  },
  save: "Save",
  saved: "Saved. Locks hold from now on; where grades follow from them, they are being computed anew.",
  late: "Somebody else has changed these values meanwhile, so nothing of yours is saved. What you typed is kept below; save again to put it over theirs. What stands differently now:",
};
