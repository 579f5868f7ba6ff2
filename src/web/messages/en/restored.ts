/** After the database was put back from a backup: what differs from the gradebooks. */
export const restored = {
  text: "This tool's data were put back from a backup on {{when}}. What happened between {{backup}} and then is known only as far as the classroom and the gradebook tell it.",
  textUnknown:
    "This tool's data were put back from a backup on {{when}}. What happened between the backup and then is known only as far as the classroom and the gradebook tell it.",
  stillToCompare: "Still to be compared with the gradebook: {{number}}. Nothing of these is sent meanwhile.",
  different: "Grades that differ from the gradebook: {{number}}.",
  unread: "The gradebook could not be read for {{number}}; these are shown as the backup has them.",
  open: "Look at the differences",
  title: "Differences from the gradebook: {{course}}",
  heading: "Grades that differ from the gradebook",
  lead: "Each of these may be a teacher's grade, or was sent from here after the backup. Nothing is sent over them until you decide.",
  attendance:
    "Attendance is read from the classroom again; a grade that then comes out as the gradebook has it leaves this list by itself.",
  choose: "Choose {{name}}",
  ours: "Ours",
  sendChosen: "Send ours for those chosen",
  keepChosen: "Keep the gradebook's for those chosen",
  sendAll: "Send ours for all",
  keepAll: "Keep the gradebook's for all",
  keepHint: "A grade that is kept stays as it is, also when attendance changes later, until you send ours.",
  none: "No grade differs.",
  nothingChosen: "Nothing was chosen. Choose grades in the list first.",
  decided: "Decided: {{number}}. Below you see what is left.",
  back: "All grades",
  whyDiffers:
    "The data were put back from a backup, and the gradebook has {{theirs}}: a teacher's grade, or ours of later. Nothing is sent over it until an instructor says so.",
  whyEmpty:
    "The data were put back from a backup, and the gradebook has no grade any more. Nothing is sent over it until an instructor says so.",
  values: "Ours {{ours}}, in the gradebook {{theirs}}, seen {{when}}.",
  valuesEmpty: "Ours {{ours}}, in the gradebook none, seen {{when}}.",
  keep: "Keep the gradebook's",
  keepLabel: "Keep the gradebook's grade for {{name}}",
  consoleHeading: "After a restore",
  consoleLead:
    "The database was put back from a backup. Every score is compared with its gradebook before anything is sent; where it differs, an instructor of the course decides on its page of grades.",
  consoleNone: "No course has scores that are to be compared, or that differ.",
  course: "Course",
  scores: "Scores",
  since: "Restored",
  more: "The {{number}} courses with the most are shown.",
};
