/** Pages that carry a launch through a browser that keeps no cookies. */
export const browser = {
  opening: "Opening the classroom",
  moment: "One moment, please.",
  elsewhere: {
    heading: "Open the classroom in a new window",
    lead: "Inside this page your browser keeps nothing for the classroom, so it could not know you again. In a window of its own it can.",
    button: "Open in a new window",
    opened: "The classroom has opened in a new window. You can come back here and open it again at any time.",
    fetch:
      "If you added content in that window, this page takes it over by itself. If it doesn't, continue here.",
    fetchButton: "Continue here",
  },
  byHand: {
    lead: "This page goes on by itself where scripts are allowed. Your browser does not allow them, so choose how to go on.",
    onward: "Continue here",
    posted:
      "Your browser runs no scripts on this page, and without them the classroom cannot know you again.",
  },
  lost: {
    heading: "Your browser cannot be recognised",
    lead: "Your browser did not keep what protects this launch from others. Go back to your course and open the link in a new window, or allow cookies for the classroom, and try again.",
  },
  admin: {
    summary: "For administrators: how to open it without this page",
    window: "Let the LMS open the tool in a new window:",
    moodle: "Moodle: in the tool's settings, choose “New window” as launch container.",
    canvas: "Canvas: give the placement “windowTarget”: “_blank”.",
    cookies:
      "Or let browsers keep cookies of {{host}} inside your LMS: partitioned or third-party cookies must not be blocked for it.",
  },
  reloaded:
    "This page cannot be loaded again by its address. Open the classroom from the link in your course; nothing is lost.",
};
