import { NamedError } from "../../kernel/errors.ts";

const notReported =
  "This LMS does not tell us who is in the course, so only people who have opened the classroom are listed.";
const allow =
  "Ask your administrator to allow the tool the names and roles of people (Names and Role Provisioning), then open the course link once.";

export function rosterProblem(thrown: unknown): string {
  if (!(thrown instanceof NamedError)) return "Something went wrong on our side while the list was read.";
  switch (thrown.code) {
    case "roster-not-told":
      return `${notReported} ${allow}`;
    case "lms-not-allowed":
    case "lms-token-refused":
      return `${notReported} It refused the list. ${allow}`;
    case "lms-not-found":
      return `${notReported} It does not know the course's list any more. Open the course link once, so that we learn its new address.`;
    default:
      return thrown.message;
  }
}
