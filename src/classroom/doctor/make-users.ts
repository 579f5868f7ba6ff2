import type { Dialect } from "../dialect.ts";
import { withAddress } from "../with-address.ts";
import { finding } from "./finding.ts";
import { idWanted } from "./find-fields.ts";
import type { Trial, Used } from "./trial.ts";

type Deps = { dialect: Dialect; reference: string };
type Role = "host" | "participant";

const named = { name: "spaces-lti doctor", givenName: "spaces-lti", familyName: "doctor" };

/**
 * For one person, who may teach one course and learn in another; a participant where users have roles. @returns null
 * for users not made.
 */
export async function makeUsers(
  deps: Deps,
  trial: Trial,
): Promise<{ userId: string | null; participantUserId: string | null }> {
  const { look, note } = trial;
  const host = await makeHost(deps, trial);
  const userId = host === null ? null : look(host.used, [idWanted("userId")]);
  if (host === null || !deps.dialect.usersHaveRoles) return { userId, participantUserId: null };
  const participant = await makeParticipant(deps, trial, host.hasAddress);
  const participantUserId = participant === null ? null : look(participant, [idWanted("userId")]);
  if (userId === null || participantUserId !== userId) return { userId, participantUserId };
  const message = "It answers with the same user for a host and a participant who have one e-mail address.";
  const todo =
    'Write "usersHaveRoles": false into the dialect file if its users have no roles; else an address for each role (email.ofRole), such as "{local}+{role}@{domain}".';
  note(finding("wrong", "createApiUser", message, { todo }));
  return { userId, participantUserId: null };
}

/** First without an e-mail address, as the LMS may withhold it, unless the dialect makes one up. */
async function makeHost(
  deps: Deps,
  { use, note }: Trial,
): Promise<{ used: Used; hasAddress: boolean } | null> {
  if (deps.dialect.email.synthetic === null) {
    const used = await use("createApiUser", userOf(deps, "host", null), { quietly: true });
    if (used !== null) return { used, hasAddress: false };
  }
  const used = await use("createApiUser", userOf(deps, "host", addressOf(deps)));
  if (used === null) return null;
  if (deps.dialect.email.synthetic === null) {
    const message = "A user is made with an e-mail address only; an LMS may withhold people's.";
    const todo =
      'Let the LMS tell this tool addresses, or write email.synthetic into the dialect file, such as "{reference}@learners.example.edu" under a domain of your own.';
    note(finding("wrong", "createApiUser", message, { todo }));
  }
  return { used, hasAddress: true };
}

/** With the host's address if there is one: whether the service takes it twice is not shown. */
async function makeParticipant(deps: Deps, { use, note }: Trial, sameAddress: boolean): Promise<Used | null> {
  const user = userOf(deps, "participant", addressOf(deps));
  const used = await use("createApiUser", user, { quietly: sameAddress });
  if (used !== null || !sameAddress) return used;
  const other = await use("createApiUser", { ...user, email: addressOf(deps, ".second") });
  if (other === null) return null;
  const both = { host: "{local}+{role}@{domain}", participant: "{local}+{role}@{domain}" };
  const message =
    "A second user with an e-mail address that another one has is refused: a person who teaches one course and learns in another could enter only one of them.";
  const todo = "Write the lines below into the dialect file, or addresses of another form.";
  note(finding("wrong", "createApiUser", message, { todo, dialect: { email: { ofRole: both } } }));
  return other;
}

function userOf(deps: Deps, role: Role, email: string | null) {
  const user = { ...named, reference: `${deps.reference}-${role}`, role, email };
  return email === null ? user : withAddress(user, deps.dialect);
}

/** Nobody has an address there (RFC 2606). */
function addressOf({ reference }: Deps, more = ""): string {
  return `${reference}${more}@doctor.invalid`;
}
