/** A verified notice of an LMS (Platform Notification Service 1.0) in our own words. */
export type Notice = {
  registrationId: string;
  deploymentId: string;
  /** The LMS's id of the notice: the same when it is sent again, with another nonce each time. */
  id: string;
  nonce: string;
  /** As the LMS names it. */
  type: string;
  meaning: NoticeMeaning;
};

/** What a notice tells. Types we do not act on are accepted and counted. */
export type NoticeMeaning =
  /** Content of the courses `origins` was copied into the course `contextId`, which may be new or not. */
  | { kind: "course-copied"; contextId: string; origins: readonly string[] }
  | { kind: "hello" }
  | { kind: "other" };

/** The one type of notice that we ask an LMS for. */
export const courseCopyNotice = "LtiContextCopyNotice";
/** What an LMS sends to try whether a receiver works. */
export const helloNotice = "LtiHelloWorldNotice";
