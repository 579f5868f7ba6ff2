/** English, the language every other catalogue is measured by. */
export const en = {
  product: "Online classroom",
  enter: {
    title: "{{course}}: online classroom",
    heading: "Your online classroom",
    lead: "The classroom of {{course}} opens in a new tab, so that camera and microphone work.",
    button: "Enter the classroom",
    opened: "The classroom has opened in a new tab. You can come back here and enter again at any time.",
    blocked: "Your browser wants you to press the button yourself.",
  },
  grades: {
    heading: "Grades from attendance",
    none: "No attendance has been recorded yet. Grades appear here as soon as attendance is marked in the classroom.",
    off: "This course gives no grades for attendance.",
    summary: "{{delivered}} in the gradebook, {{waiting}} on their way, {{refused}} need attention.",
    person: "Learner",
    score: "Score",
    state: "State",
    when: "Last accepted by the LMS",
    never: "not yet",
    noScore: "none",
    states: {
      idle: "nothing to send",
      waiting: "on its way",
      delivered: "in the gradebook",
      refused: "not accepted",
    },
    syncNow: "Send again now",
    unnamed: "Learner {{sub}}",
  },
  problem: {
    title: "The classroom cannot be opened",
    retry: "Try again",
    reference: "Reference: {{reference}}",
    why: "Why (shown to instructors)",
    unavailable:
      "The classroom cannot be reached at the moment. Wait a minute and try again; if it goes on, tell your teacher.",
    unexpected:
      "Something went wrong on our side. Try again; if it happens again, give your administrator the reference below.",
    notFound: "There is no page at this address.",
    backToCourse: "Back to the course",
  },
  registration: {
    title: "Register the classroom tool",
    done: "The tool is registered",
    doneText:
      "{{platform}} and this tool now know each other. If your LMS shows the tool as pending, activate it there. You can close this window.",
    close: "Close this window",
  },
};
