/** The page before a closed door, and what people are told of a Space that does not let everybody in. */
export const door = {
  title: "{{course}}: online classroom",
  early: {
    heading: "The classroom is not open yet",
    opens: "Opens:",
    opensAt: "Opens at",
    lead: "This page goes on by itself when it opens; you may leave it open.",
    leadLong: "Come back then, by the link in your course.",
    now: "The classroom is open.",
    button: "Enter the classroom",
    units: { days: "d", hours: "h", minutes: "min", seconds: "s" },
    left: "Opens in",
  },
  over: {
    heading: "This session is over",
    lead: "This link was for one session, and that has ended. Your course may have a link to the next one.",
  },
  cancelled: {
    heading: "This session was cancelled",
    lead: "This link was for one session, and that was called off. Ask your instructor when the next one is.",
  },
  deleted: {
    heading: "This session was deleted",
    lead: "This link was for one session, and that is not there any more. Ask your instructor when the next one is.",
  },
  otherSections: {
    heading: "This classroom is for other groups",
    lead: "Your instructor has opened it for these only:",
    own: "In the LMS you are in: {{sections}}.",
    none: "In the LMS you are in no group yet.",
    yours:
      "If you belong there, ask your instructor to put you there in the LMS, then open the link in your course again.",
  },
  notSetUp: {
    heading: "The classroom is not ready yet",
    lead: "It has not been connected to your course completely, so nobody can enter. Tell your instructor; they can ask the administrator of the LMS. You have done nothing wrong.",
  },
  again: "Look again",
  access: {
    "waiting-room":
      "This classroom has a waiting room: a host will let you in. Stay on its page until they do.",
    "invited-only":
      "Only people on this classroom's list of invited users can enter. If you are not let in, ask your instructor to add you.",
  },
};
