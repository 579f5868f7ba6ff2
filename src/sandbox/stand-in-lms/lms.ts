import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
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

/** What every part of one running stand-in shares. */
export type Lms = {
  /** Where browsers and tools reach it, no trailing slash; also the issuer. */
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
  /** What is assumed of LMSs and is the other way round here. */
  turned: Turned;
  /** True: a registered tool works at once; false: an administrator presses "Activate" first. */
  autoActivate: boolean;
};
