/** The areas of a course's pages. */
export const nav = {
  label: "Pages of this classroom",
  home: "Classroom",
  sessions: "Sessions",
  attendance: "Attendance",
  grades: "Grades",
  recordings: "Recordings",
  people: "People",
  settings: "Settings",
  mine: "My attendance",
};
