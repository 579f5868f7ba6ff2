/** The first questions about a course. */
export const setUp = {
  title: "Set up: {{course}}",
  heading: "Three questions to begin with",
  lead: "Everything works already; what is chosen below is how it is now. You can change it at any time in the settings.",
  grading: {
    legend: "1. Does attendance count towards the grade?",
    "one-column": "Yes, one grade for all sessions together",
    "column-per-session": "Yes, a grade for each session",
    "no-grades": "No, attendance is only recorded",
    example: "Present, present, late makes {{sum}} of {{points}} points. Excused sessions are left out.",
  },
  mode: {
    legend: "2. How do people enter?",
    tab: "In a new tab",
    embedded: "Inside the course page",
    hints: {
      tab: "The most reliable way: camera and microphone work.",
      embedded: "Where the page gets no camera or microphone, a new tab is offered instead.",
    },
  },
  start: {
    legend: "May learners start the call?",
    no: "No, it starts with the first instructor",
    yes: "Yes, it starts with whoever comes first",
  },
  opens: {
    legend: "3. When may learners come in?",
    always: "At any time",
    "around-sessions":
      "Only around planned sessions: from {{before}} minutes before until {{after}} minutes after. While no session is planned, at any time.",
  },
  locked: "set by your institution",
  save: "Save these answers",
  later: "Decide later",
  conflict:
    "Somebody else has changed the settings meanwhile. What you chose is kept below; look through it and save again.",
};
