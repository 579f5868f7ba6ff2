import type { Lms } from "./lms.ts";
import type { Course, Tool } from "./lms-records.ts";

/** The kinds of notices this LMS sends. */
export type NoticeType = "LtiHelloWorldNotice" | "LtiContextCopyNotice";

/** One attempt to deliver a notice. */
export type NoticeDelivery = {
  /** The same in every attempt. */
  noticeId: string;
  type: NoticeType;
  toolId: string;
  handler: string;
  /** 0 when the handler could not be reached. */
  status: number;
};

/** Sends notices in the background. */
export type Notices = {
  deliveries: () => readonly NoticeDelivery[];
  /** Tells the tools that asked for it that a course was copied. */
  courseCopied: (lms: Lms, copy: Course, source: Course) => void;
  /** Tells a tool that its handler is known. */
  hello: (lms: Lms, tool: Tool) => void;
  /** Waits until nothing is on its way any more. */
  settled: () => Promise<void>;
};
