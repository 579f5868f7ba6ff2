/** The page of somebody who waits at the classroom's door, and what it says when their place is over. */
export const waiting = {
  heading: "You are in line for the classroom",
  lead: "People are let in one after another. You will be let in automatically; there is nothing you need to do.",
  keepOpen:
    "Keep this page open. You may look at other pages meanwhile: your place is kept, and this tab shows when it is your turn.",
  next: "You are next.",
  before_one: "{{number}} person is before you.",
  before_other: "{{number}} people are before you.",
  time: {
    moment: "A few seconds to go.",
    seconds: "About {{seconds}} seconds to go.",
    underMinute: "Less than a minute to go.",
    minute: "About a minute to go.",
    minutes: "About {{minutes}} minutes to go.",
  },
  trouble: "The classroom does not answer at the moment. We keep trying, and you keep your place.",
  ready: "It is your turn. The classroom opens.",
  offline: "The connection is lost. We keep trying; look whether you are online.",
  progress: "Progress in the line",
  titles: {
    next: "You are next - {{course}}",
    before: "{{number}} before you - {{course}}",
    trouble: "Please wait - {{course}}",
    ready: "Entering {{course}}",
  },
  byHand: {
    refreshed: "This page looks again by itself every few seconds.",
    press: "Press the button to see whether it is your turn.",
    look: "Look again now",
  },
  elsewhere: {
    heading: "This page in the line belongs to another browser",
    what: "Only the browser in which the classroom link was opened can wait here and go in. To enter yourself, open the classroom link in your course; whoever has a place in the line keeps it.",
    cookies:
      "If this is that browser, it kept no cookie of ours: allow cookies for this site, or open the classroom link in your course again and keep the page open.",
  },
  over: {
    entered: {
      heading: "You have been let in already",
      what: "This page let you into the classroom once. To enter again, open the classroom link in your course again; then you can close this page.",
    },
    gone: {
      heading: "This page has no place in the line any more",
      what: "If you opened the classroom again, the newer tab has your place: go there. If you were away for long, open the classroom link in your course again.",
    },
  },
};
