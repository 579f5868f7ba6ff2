export type Notice = {
  registrationId: string;
  deploymentId: string;
  /** The LMS's: the same in repetitions, each with another nonce. */
  id: string;
  nonce: string;
  type: string;
  meaning: NoticeMeaning;
};

/** Types without a meaning here are accepted and counted. */
export type NoticeMeaning =
  /** Content of the courses `origins` was copied into the course `contextId`, new or not. */
  | { kind: "course-copied"; contextId: string; origins: readonly string[] }
  | { kind: "hello" }
  | { kind: "other" };

export const courseCopyNotice = "LtiContextCopyNotice";
/** The LMS's test of a receiver. */
export const helloNotice = "LtiHelloWorldNotice";
