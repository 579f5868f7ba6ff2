import type { App } from "../../../app.ts";
import type { ConnectionReport } from "../../registration/connection-report.ts";
import type { Sessions } from "../../../web/session.ts";
import type { ConsoleCookie } from "./console-cookie.ts";
import type { ConsoleDevices } from "./console-device.ts";
import type { ConsoleSessions } from "./console-session.ts";

/** What the console's pages work with: the whole tool, and what is the console's own. */
export type ConsoleApp = App & {
  /** For the audit log, where somebody acts who gave the password. */
  who: "console";
  adminPassword: string;
  /** Path of the file that overrides the classroom's dialect; null when there is none. */
  dialectFile: string | null;
  /** Tries to reach an LMS. @throws NamedError "registration-unknown" */
  testConnection: (registrationId: string) => Promise<ConnectionReport>;
  /** Reads sessions of courses, with which administrators of an LMS come. */
  courseSessions: Pick<Sessions, "read">;
  consoleSessions: ConsoleSessions;
  /** Carries the session. */
  cookie: ConsoleCookie;
  devices: ConsoleDevices;
  /** Carries what a browser is known by. */
  deviceCookie: ConsoleCookie;
};
