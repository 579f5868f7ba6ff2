import type { Priority } from "./waiting-line.ts";

export type CallOptions = {
  priority: Priority;
  signal?: AbortSignal | undefined;
  /** Attempts of a repeatable request while the service fails; 4 when left out. */
  attempts?: number;
  /** Awaited each time before a request waits at the throttle. */
  onWait?: (() => void | Promise<void>) | undefined;
  /** Awaited after each permit, before sending; when it throws, nothing is sent and the call fails with that. */
  onPermit?: (() => void | Promise<void>) | undefined;
};
