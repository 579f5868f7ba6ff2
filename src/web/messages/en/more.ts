/** What is said of a list of the classroom that was not read to its end. */
export const more = {
  read: "Read so far: {{read}}.",
  readOf: "Read so far: {{read}} of {{total}}.",
  goesOn: "The rest is being read and comes by itself.",
  why: {
    bound: "The list is longer than can be read in one go.",
    failed: "A part of the list did not come. Reading goes on from there by itself.",
    repeats:
      "The classroom sends the same part again instead of the next one. Tell whoever runs this tool: its pages can be named in the dialect file.",
    elsewhere: "The classroom says that the rest is on another server, which is not asked.",
    "no-way":
      "The classroom does not say how to get the rest. Tell whoever runs this tool: its pages can be named in the dialect file.",
    fewer: "The classroom says that there are more than it sends.",
  },
};
