/** Whom a Space was told of, on the settings page. */
export const told = {
  heading: "Whom the Space knows",
  hosts: "Hosts the Space knows: {{names}}.",
  noHosts: "We have not told the Space who its hosts are.",
  later:
    "Joined later: {{names}}. They may enter as participants until somebody makes them hosts in the classroom; we cannot.",
  laterAdded: "Joined later: {{names}}. They become hosts of the Space when they enter.",
  learners:
    "Learners we told the Space of: {{number}}. It lets in only people on its list, so invite whoever joined later in the classroom.",
  failed: "The classroom did not add {{names}} to the Space. We ask again when they enter.",
  more: "{{number}} more",
};
