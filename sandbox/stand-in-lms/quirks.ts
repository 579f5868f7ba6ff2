// From: versions and settings of the products: zeroUnreported measured on older Moodle, the others from Canvas's source.
import { z } from "zod";

/** As in Canvas: a bucket for each tool that fills with every call and leaks. */
const throttleSchema = z.object({
  /** What a refused call is answered: 403 as in Canvas's code, 429 as its documentation says. */
  status: z.union([z.literal(403), z.literal(429)]).default(403),
  /** Calls are refused above this. */
  full: z.number().positive().default(600),
  leakPerSecond: z.number().nonnegative().default(10),
  /** Held by every running call, so that concurrent calls fill the bucket. */
  upFront: z.number().nonnegative().default(50),
  /** Final cost of a call. */
  cost: z.number().nonnegative().default(1),
  /** Duration of every call (ms); with 0 they rarely overlap. */
  callMs: z.number().int().nonnegative().default(0),
});

/** Differences within one product; all can be changed while it runs. */
export const quirksSchema = z.object({
  /** Canvas: null is no throttling. */
  throttle: throttleSchema.nullable().default(null),
  /** Canvas: true for a version whose roster leaves `$Canvas.course.sectionIds` and its like unexpanded. */
  oldSectionVariables: z.boolean().default(false),
  /** Canvas: how a changed score for a deleted assignment is refused (`canvasDeletedIsUnpublished`). */
  deletedColumnSays: z.enum(["unpublished", "not-applicable"]).default("unpublished"),
  /** Canvas: how AGS answers in a concluded course; 404 where `ags_improved_course_concluded_response_codes` is off. */
  concludedStatus: z.union([z.literal(422), z.literal(404)]).default(422),
  /** Moodle: a version whose results show nothing where the grade is 0. */
  zeroUnreported: z.boolean().default(false),
  /** Canvas and the third manners: whether notices (such as a course copy) are offered. */
  notices: z.boolean().default(true),
  /** The account's language as the product writes it ("pt_br" in Moodle); null is English. */
  locale: z.string().nullable().default(null),
  /** The third manners: whether the Course Groups service is offered. */
  courseGroups: z.boolean().default(true),
  /**
   * The third manners: columns as in Open edX with "programmatic" grades (xblock-lti-consumer 11.4): scores of unlinked columns are
   * accepted but shown to nobody, labels and tags are short, points whole, and no product is named.
   */
  openEdx: z.boolean().default(false),
});

export type Quirks = z.output<typeof quirksSchema>;

/** What is left out stays. */
export type QuirkChange = z.input<typeof quirksSchema>;

export function createQuirks(change: QuirkChange = {}): Quirks {
  return quirksSchema.parse(change);
}
