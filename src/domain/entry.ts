import type { JoinSettings } from "./join-url.ts";

/** Who wants to enter which course, and how they come. */
export type Entry = {
  courseId: string;
  personId: string;
  /** Our id of the link through which they come; null opens the course's own Space. */
  courseLinkId: string | null;
  role: "instructor" | "learner";
  /** The LMS's locale of this launch, such as "de" or "pt-BR"; null when not told. */
  locale: string | null;
  /** A phone or tablet, where the classroom cannot record locally. */
  mobile: boolean;
  /** Whether the Space is shown in a tab of its own or inside our page. */
  shown: JoinSettings["mode"];
};

/** How somebody came the last time: the best guess for how they come the next time. */
export type LastEntry = Pick<Entry, "courseLinkId" | "locale" | "mobile">;
