/** "other" follows the plain standard. */
export const lmsFamilies = ["moodle", "canvas", "other"] as const;

export type PlatformFamily = (typeof lmsFamilies)[number];

/** An operator's choice: a product, or "learn" from the LMS's product code. */
export const familyChoices = ["learn", ...lmsFamilies] as const;

export type FamilyChoice = (typeof familyChoices)[number];

/** `product_family_code` of the products (LTI Core 1.3, 5.4.3), in lower case. */
const productCodes: Readonly<Record<PlatformFamily, readonly string[]>> = {
  moodle: ["moodle"],
  canvas: ["canvas"],
  other: [],
};

/** @param product `product_family_code`, in any case. */
export function familyOfProduct(product: string): PlatformFamily {
  const code = product.toLowerCase();
  return lmsFamilies.find((family) => productCodes[family].includes(code)) ?? "other";
}

export function hasOwnAdapter(family: PlatformFamily): boolean {
  return family !== "other";
}

/** How LMS products differ, as rules, use cases and pages ask for it. Each adapter has one. */
export type LmsCapabilities = {
  wording: LmsWording;
  sections: SectionKind;
  /** Sections are reported by launches alone: who has not come yet is in none. */
  sectionsByLaunchOnly: boolean;
  /** The roster has sections when it is requested with the course's own link (NRPS 2.0, `rlid`). */
  rosterByLink: boolean;
  /** An instructor by launch may be a learner in the roster, and both are meant. */
  rosterDemotesInstructors: boolean;
  /** The scope of ids of people and courses, within which a copy may name its original. */
  idsHoldWithin: "deployment" | "registration";
  /** The part of a deployment id that survives a new registration of the tool; null where two registrations share no ids. */
  lastingDeploymentPart: ((deploymentId: string) => string) | null;
  /** The answer to its deep linking dialog keeps the origin it was posted to. */
  answerStaysOnOrigin: boolean;
  /** Teachers see a registered tool only after an administrator has shown it. */
  hiddenAfterRegistration: boolean;
  /** A grade counts as final also where it is sent as in progress (`activityProgress` of AGS 2.0). */
  ignoresProgress: boolean;
  /** An activity is completed by its own grade only, not by one in a column that a tool made. */
  ownGradeCompletes: boolean;
  /** Origins that may show the tool in a frame; null when unknown. */
  frameAncestors: (known: FrameOrigins) => readonly string[] | null;
  gradebook: GradebookTraits;
};

/** Sets of sentences about one product in the catalogues. A product without its own takes "other". */
export type LmsWording = "moodle" | "canvas" | "other";

export type SectionKind = "sections" | "groups";

/** Web origins from which an LMS may show a course, without duplicates and invalid ones. */
type FrameOrigins = {
  /** Addresses of issuer and authorization. */
  registered: readonly string[];
  course: readonly string[];
  /** Addresses of the course's gradebook and roster. */
  services: readonly string[];
  /** By which the reader came; empty when their launch did not say. */
  reader: readonly string[];
};

export type GradebookTraits = {
  /** Which people its results include: all, or only those that the tool has graded before (Canvas). */
  resultsInclude: "everybody" | "graded-only";
  /** Known to report a grade of 0 as such; others may show 0 for "no grade". */
  reportsZero: boolean;
  /** An empty result after a score means that a teacher cleared it (Canvas: or excused the person). */
  emptyMeansCleared: boolean;
  /** A sent score ends "Excused", and no result shows that the person had it (Canvas). */
  sendingEndsExcused: boolean;
  /** Accepts a score but keeps showing a teacher's earlier grade (Moodle's override). */
  keepsTeachersGrade: boolean;
  /** The points of reported grades: named in the result ("in-result"), the column's present ones (Moodle), or ours as sent (Canvas). */
  resultsIn: "in-result" | "column" | "as-sent";
  /** Results that are read in the time of one more call. */
  resultsPerCall: number;
};

const anywhere = "https:";

/**
 * Where an LMS may lead a browser that posts a dialog's answer: browsers check redirects, too. Any https origin where
 * the product's are unknown, so a teacher's choice is not lost. @param returnUrl The LMS's full address for the answer.
 */
export function answerOrigins(
  { answerStaysOnOrigin }: Pick<LmsCapabilities, "answerStaysOnOrigin">,
  returnUrl: string,
): string[] {
  const { origin } = new URL(returnUrl);
  return answerStaysOnOrigin ? [origin] : [origin, anywhere];
}
