import type { Priority } from "./waiting-line.ts";

/** Who is waiting for a call, and when they stop waiting. */
export type CallOptions = {
  priority: Priority;
  signal?: AbortSignal | undefined;
  /** How often a repeatable request is made at most while the service fails; four times when left out. */
  attempts?: number;
  /** Called and awaited each time before a request of this call lines up at the throttle. */
  onWait?: (() => void | Promise<void>) | undefined;
  /**
   * Called and awaited each time the throttle has let a request of this call through, before it is sent; when it
   * throws nothing is sent, and the call fails with that.
   */
  onPermit?: (() => void | Promise<void>) | undefined;
};
