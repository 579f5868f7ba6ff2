// Imitates nothing.
import type { Clock } from "../../src/kernel/clock.ts";
import type { Logger } from "../../src/kernel/logger.ts";
import type { Turned } from "../assumptions.ts";
import type { Faults } from "./faults.ts";
import type { Launches } from "./launches.ts";
import type { LmsWorld } from "./lms-records.ts";
import type { Manners } from "./manners.ts";
import type { Notices } from "./notice-delivery.ts";
import type { PlatformKey } from "./platform-key.ts";
import type { Quirks } from "./quirks.ts";
import type { RequestLog } from "./request-log.ts";
import type { Sessions } from "./sessions.ts";
import type { ToolKeysets } from "./tool-keysets.ts";

export type Lms = {
  /** Also the issuer; no trailing slash. */
  url: string;
  clock: Clock;
  logger: Logger;
  keysets: ToolKeysets;
  world: LmsWorld;
  key: PlatformKey;
  launches: Launches;
  log: RequestLog;
  notices: Notices;
  faults: Faults;
  sessions: Sessions;
  manners: Manners;
  quirks: Quirks;
  turned: Turned;
  /** False: an administrator presses "Activate" first. */
  autoActivate: boolean;
};
