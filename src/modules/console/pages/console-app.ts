import type { App } from "../../../app.ts";
import type { ConnectionReport } from "../../registration/connection-report.ts";
import type { Sessions } from "../../../web/session.ts";
import type { ConsoleCookie } from "./console-cookie.ts";
import type { ConsoleDevices } from "./console-device.ts";
import type { ConsoleSessions } from "./console-session.ts";

export type ConsoleApp = App & {
  /** For the audit log, where somebody gave the password. */
  who: "console";
  adminPassword: string;
  /** Overrides the classroom's dialect. */
  dialectFile: string | null;
  /** @throws NamedError "registration-unknown" */
  testConnection: (registrationId: string) => Promise<ConnectionReport>;
  /** Administrators of an LMS come with a session of a course. */
  courseSessions: Pick<Sessions, "read">;
  consoleSessions: ConsoleSessions;
  cookie: ConsoleCookie;
  devices: ConsoleDevices;
  /** Identifies the browser. */
  deviceCookie: ConsoleCookie;
};
