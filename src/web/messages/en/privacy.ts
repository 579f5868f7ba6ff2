/** People's data: what is kept of somebody, giving it out, and erasing people, courses and LMSs. */
export const privacy = {
  heading: "People and data",
  lead: "What is kept about somebody can be given to them as a file, and erased.",
  search: "Find somebody",
  hint: "Their user id in the LMS or in the classroom as a whole, or how a name or the e-mail address begins.",
  noLms: "No LMS is registered yet, so nobody is known.",
  notFound: "Nobody was found. Ids are found as a whole only, and who was erased is not known any more.",
  more: "Only the first {{number}} are shown. Type more to find the others.",
  person: "Person",
  nameless: "Without a name",
  email: "E-mail address",
  sub: "User id in the LMS",
  userId: "User id in the classroom",
  noUser: "none yet",
  held: "What is kept",
  kind: "Kind",
  count: "Records",
  namedOnly:
    "Where somebody is only named in a record about others, such as a correction they made, it is not counted.",
  kinds: {
    person: "The person themselves",
    memberships: "Memberships of courses",
    attendance: "Attendance",
    standings: "Sessions that count for a score",
    scores: "Scores and how they were sent",
    courseAudit: "Changes in courses",
    feedback: "Feedback about classes",
    matches: "Matches with users of the classroom",
    places: "Places in the line at the door",
    logins: "Logins fetched ahead",
    sessionsOfPages: "Sessions of course pages",
    preparations: "Users of the classroom to be made",
    calendars: "Calendar addresses",
    unmatched: "Attendance not matched",
    presences: "Presence in Spaces",
    webhooks: "Bodies of webhooks",
    courses: "Courses",
    other: "Other",
  },
  export: {
    heading: "Give it out",
    person:
      "A JSON file with everything that is kept about this person. Others are in it as “somebody else” only.",
    course:
      "A JSON file with all records of this course and the people in it. The second file has its attendance as a table.",
    button: "Download the file",
    table: "Download attendance as a table (CSV)",
    logged: "Each download is written into the audit log.",
  },
  erase: {
    heading: "Erase",
    person: "Erase this person",
    personText:
      "Everything listed above is deleted, attendance and scores included, and their name is taken out of everything else. It cannot be undone.",
    course: "Erase this course",
    courseText:
      "All records of this course are deleted, everybody's attendance and scores included. It cannot be undone.",
    registration: "Uninstall this LMS",
    registrationText:
      "The LMS is switched off and all of its records are deleted: people, courses, attendance, scores and keys. It cannot be undone.",
    typeId: "To confirm, type the user id in the LMS:",
    typeTitle: "To confirm, type the course:",
    typeName: "To confirm, type the name of the LMS:",
    button: "Erase for good",
    uninstall: "Uninstall for good",
  },
  stays: {
    heading: "What stays elsewhere",
    person:
      "The classroom keeps its own record of its user, and the LMS keeps its gradebook: neither is touched. Have them deleted there.",
    user: "In the classroom it is the user {{id}}.",
    comesBack:
      "Lists of people and late webhooks do not bring them back. If they open the tool themselves, they are somebody new.",
    course:
      "The Space with its recordings stays in the classroom, the columns and grades stay in the LMS. The next launch from the course begins with a new Space.",
    registration:
      "Spaces and users stay in the classroom, columns and grades stay in the LMS. The tool's entry in the LMS is removed by its administrators.",
  },
  erasures: {
    heading: "What was erased",
    none: "Nothing has been erased yet.",
    latest: "The latest {{number}} are shown. What was erased because it was old is not listed.",
    what: "What",
    state: "State",
    asked: "Asked for",
    done: "Finished",
    kinds: { person: "A person", course: "A course", registration: "An LMS" },
    states: {
      erasing: "being erased",
      checking: "erased, looked over once more",
      cleaning: "erased, its last traces are removed from the database file",
      done: "erased",
    },
    texts: {
      erasing: "It is being erased. You may leave this page: it goes on by itself, also after a restart.",
      checking:
        "Everything is erased. In two minutes the tool looks once more whether something under way wrote any of it again.",
      cleaning:
        "Everything is deleted, and nothing of it was written again. What deleted records leave in the database’s file is removed now; that of a big database, in the night.",
      done: "Everything is erased, and no byte of it is left in the database.",
    },
    counts: "Deleted or changed so far",
    nothing: "Nothing yet.",
    look: "Look again",
    back: "To people and data",
  },
};
