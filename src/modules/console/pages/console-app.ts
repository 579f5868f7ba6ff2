import type { App } from "../../../app.ts";
import type { ConnectionReport } from "../../registration/test-connection.ts";
import type { Sessions } from "../../../web/session.ts";
import type { ConsoleCookie } from "./console-cookie.ts";
import type { ConsoleDevices } from "./console-device.ts";
import type { IdentityProvider } from "../../operations/identity-provider.ts";
import type { ConsoleRights } from "../../operations/rules/console-rights.ts";
import type { ConsoleSessions } from "./console-session.ts";

export type ConsoleApp = App & {
  /** Undefined: nobody logs in by a password. */
  adminPassword: string | undefined;
  /** Null: nobody logs in by a provider. */
  provider: ProviderLogIn | null;
  /** Overrides the classroom's dialect. */
  dialectFile: string | null;
  /** @throws NamedError "registration-unknown" */
  testConnection: (registrationId: string) => Promise<ConnectionReport>;
  /** Administrators of an LMS come with a session of a course. */
  courseSessions: Pick<Sessions, "read">;
  /** Reads and makes sessions; `consoleSessions` is their store. */
  logIns: ConsoleSessions;
  cookie: ConsoleCookie;
  devices: ConsoleDevices;
  /** Identifies the browser. */
  deviceCookie: ConsoleCookie;
};

export type ProviderLogIn = {
  client: IdentityProvider;
  rights: ConsoleRights;
  /** As people know it: its host. */
  host: string;
  /** Keeps one log-in under way; comes back from the provider's site. */
  cookie: ConsoleCookie;
};
