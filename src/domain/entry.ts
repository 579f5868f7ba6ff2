import type { JoinSettings } from "./join-url.ts";

export type Entry = {
  courseId: string;
  personId: string;
  /** Our id of the link; null opens the course's own Space. */
  courseLinkId: string | null;
  role: "instructor" | "learner";
  /** The LMS's locale of this launch, such as "de" or "pt-BR"; null when not sent. */
  locale: string | null;
  /** A phone or tablet, where the classroom cannot record locally. */
  mobile: boolean;
  shown: JoinSettings["mode"];
};

/** How a person entered last: the best guess for the next time. */
export type LastEntry = Pick<Entry, "courseLinkId" | "locale" | "mobile">;
