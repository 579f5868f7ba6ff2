import { NamedError } from "../../kernel/errors.ts";

const listed = "Only people who have opened the classroom are listed: your LMS";
const allow =
  "Ask your administrator to allow the tool names and roles (Names and Role Provisioning). Then open the course link once.";

export function rosterProblem(thrown: unknown): string {
  if (!(thrown instanceof NamedError)) return "Something went wrong on our side while reading the list.";
  switch (thrown.code) {
    case "roster-not-told":
      return `${listed} doesn’t share the others. ${allow}`;
    case "lms-not-allowed":
    case "lms-token-refused":
      return `${listed} refused the list. ${allow}`;
    case "lms-not-found":
      return `${listed} no longer finds the list. Open the course link once to update its address.`;
    default:
      return thrown.message;
  }
}
