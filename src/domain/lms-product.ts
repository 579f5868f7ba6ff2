/** "other" follows the plain standard. */
export const lmsFamilies = ["moodle", "canvas", "other"] as const;

export type PlatformFamily = (typeof lmsFamilies)[number];

/** What an operator chooses: a product, or "learn" to find it from the LMS's product code. */
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

/** How LMS products differ, as rules, use cases and pages need to know. Each adapter states them. */
export type LmsCapabilities = {
  wording: LmsWording;
  sections: SectionKind;
  /** Only launches report sections, so people who haven't come yet are in none. */
  sectionsByLaunchOnly: boolean;
  /** The roster includes sections if it is requested with the course's own link (NRPS 2.0, `rlid`). */
  rosterByLink: boolean;
  /** A launch may say instructor and the roster learner about the same person, as Moodle does for non-editing teachers. */
  rosterDemotesInstructors: boolean;
  /** Within this scope, ids of people and courses are unique, and a copied course may name its original. */
  idsHoldWithin: "deployment" | "registration";
  /** The part of a deployment id that survives a new registration of the tool; null where two registrations share no ids. */
  lastingDeploymentPart: ((deploymentId: string) => string) | null;
  /** The LMS answers its deep linking dialog on the origin that the answer was posted to. */
  answerStaysOnOrigin: boolean;
  /** Teachers see a newly registered tool only once an administrator shows it. */
  hiddenAfterRegistration: boolean;
  /** A grade counts as final even if it is sent as in progress (`activityProgress` of AGS 2.0). */
  ignoresProgress: boolean;
  /** Only the activity's own grade completes it, not a grade in a column that a tool made. */
  ownGradeCompletes: boolean;
  /** Origins that may show the tool in a frame; null when unknown. */
  frameAncestors: (known: FrameOrigins) => readonly string[] | null;
  gradebook: GradebookTraits;
};

/** Sentences about one product in the catalogues. A product without its own set uses "other". */
export type LmsWording = "moodle" | "canvas" | "other";

export type SectionKind = "sections" | "groups";

/** The web origins on which an LMS may show a course, without duplicates and invalid ones. */
type FrameOrigins = {
  /** Issuer and authorization addresses. */
  registered: readonly string[];
  course: readonly string[];
  /** Addresses of the course's gradebook and roster. */
  services: readonly string[];
  /** Origins from which the reader came; empty when their launch didn't say. */
  reader: readonly string[];
};

export type GradebookTraits = {
  /** Whose results it returns: everybody's, or only of people that the tool has graded (Canvas). */
  resultsInclude: "everybody" | "graded-only";
  /** Reports a grade of 0 as 0. Other products may report 0 for "no grade". */
  reportsZero: boolean;
  /** An empty result after a score means that a teacher cleared the grade (Canvas: or excused the person). */
  emptyMeansCleared: boolean;
  /** Sending a score ends "Excused", and no result shows that the person was excused (Canvas). */
  sendingEndsExcused: boolean;
  /** Accepts a score, but keeps showing a teacher's earlier grade (Moodle's override). */
  keepsTeachersGrade: boolean;
  /** The maximum of a reported grade: named in the result ("in-result"), the column's present points (Moodle), or as we sent it (Canvas). */
  resultsIn: "in-result" | "column" | "as-sent";
  /** How many results can be read in the time of one more call. */
  resultsPerCall: number;
};

const anywhere = "https:";

/**
 * Where an LMS may lead a browser that posts a dialog's answer, because browsers also check redirects. Any https origin if the
 * product's origins are unknown, so a teacher's choice isn't lost. @param returnUrl The LMS's full address for the answer.
 */
export function answerOrigins(
  { answerStaysOnOrigin }: Pick<LmsCapabilities, "answerStaysOnOrigin">,
  returnUrl: string,
): string[] {
  const { origin } = new URL(returnUrl);
  return answerStaysOnOrigin ? [origin] : [origin, anywhere];
}
