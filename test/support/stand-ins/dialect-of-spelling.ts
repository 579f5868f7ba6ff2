import type { Spelling } from "../../../sandbox/stand-in-classroom/spellings.ts";

/** What CLASSROOM_DIALECT must hold for a spelling of the stand-in classroom; nothing for those found out alone. */
export function dialectOf(spelling: Spelling): object {
  return spelling === "d" ? dialectOfD : {};
}

const dialectOfD = {
  apiKey: { header: "X-Api-Key", scheme: "" },
  envelopes: ["payload"],
  operations: {
    createApiUser: {
      routes: [
        {
          method: "POST",
          path: "/user/createAPIUser",
          encoding: "form",
          body: { name: "{name}", email: "{email}", role: "{role}", externalId: "{reference}" },
        },
      ],
      reply: { userId: ["person_ref"] },
    },
    createSpace: {
      routes: [
        {
          method: "POST",
          path: "/spaces/create",
          encoding: "form",
          body: { name: "{name}", access: "{access}", enableWaitingRoom: "{waitingRoom}" },
        },
      ],
    },
  },
};
