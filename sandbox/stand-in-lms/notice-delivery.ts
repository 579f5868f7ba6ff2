// Imitates nothing.
import type { Lms } from "./lms.ts";
import type { Course, Tool } from "./lms-records.ts";

export type NoticeType = "LtiHelloWorldNotice" | "LtiContextCopyNotice";

export type NoticeDelivery = {
  /** The same in every attempt. */
  noticeId: string;
  type: NoticeType;
  toolId: string;
  handler: string;
  /** 0 when the handler was unreachable. */
  status: number;
};

export type Notices = {
  deliveries: () => readonly NoticeDelivery[];
  /** To the tools that asked for it. */
  courseCopied: (lms: Lms, copy: Course, source: Course) => void;
  hello: (lms: Lms, tool: Tool) => void;
  settled: () => Promise<void>;
};
