/** Who can enter the classroom at once: people are prepared before they come. */
export const readiness = {
  heading: "Ready to enter",
  all_one: "The only person of this course can enter the classroom at once.",
  all_other: "All {{number}} people of this course can enter the classroom at once.",
  some: "{{ready}} of {{expected}} people can enter the classroom at once.",
  preparing_one:
    "{{number}} person is still being prepared. You need not wait for that: whoever comes is let in.",
  preparing_other:
    "{{number}} people are still being prepared. You need not wait for that: whoever comes is let in.",
  heldUp: "It is held up at the moment and tried again by itself. {{problem}}",
  refused_one:
    "The classroom refused {{number}} person. It is tried again tomorrow, and when they come. {{problem}}",
  refused_other:
    "The classroom refused {{number}} people. It is tried again tomorrow, and when they come. {{problem}}",
  later_one: "{{number}} person is prepared when they come.",
  later_other: "{{number}} people are prepared when they come.",
  refresh: "See how far it is",
  knownAs: "The classroom knows this person as “{{name}}”.",
};
