/** The LMS products that have an adapter of their own in `lms/products`; "other" follows the plain standard. */
export const lmsFamilies = ["moodle", "canvas", "other"] as const;

export type PlatformFamily = (typeof lmsFamilies)[number];

/** What an operator may say of an LMS: its product, or that it is learnt from what the LMS calls itself. */
export const familyChoices = ["learn", ...lmsFamilies] as const;

export type FamilyChoice = (typeof familyChoices)[number];

/** What the products call themselves in `product_family_code` (LTI Core 1.3, 5.4.3), in lower case. */
const productCodes: Readonly<Record<PlatformFamily, readonly string[]>> = {
  moodle: ["moodle"],
  canvas: ["canvas"],
  other: [],
};

/** The adapter for an LMS by what it calls its product. @param product `product_family_code`, in any case. */
export function familyOfProduct(product: string): PlatformFamily {
  const code = product.toLowerCase();
  return lmsFamilies.find((family) => productCodes[family].includes(code)) ?? "other";
}

/** Whether the product has an adapter of its own. */
export function hasOwnAdapter(family: PlatformFamily): boolean {
  return family !== "other";
}

/** What an LMS product can do and how it differs, as rules, use cases and pages ask for it. Each adapter has one. */
export type LmsCapabilities = {
  wording: LmsWording;
  /** What the parts of a course are. */
  sections: SectionKind;
  /** Whether sections are told by launches alone, so that who has not come yet is in none. */
  sectionsByLaunchOnly: boolean;
  /** Whether the list of people tells sections when it is asked for the course's own link (NRPS 2.0, `rlid`). */
  rosterByLink: boolean;
  /** Whether somebody who launches as an instructor may be a learner in the list of people, and both are meant. */
  rosterDemotesInstructors: boolean;
  /** Within what an id of a person or a course means the same one, and a copy may name the course it came from. */
  idsHoldWithin: "deployment" | "registration";
  /**
   * The part of a deployment id that outlives a new registration of the tool; null where ids of two registrations have nothing
   * in common.
   */
  lastingDeploymentPart: ((deploymentId: string) => string) | null;
  /** Whether the answer to its deep linking dialog leads to no other origin than the one it was posted to. */
  answerStaysOnOrigin: boolean;
  /** Whether teachers see a registered tool only after an administrator has shown it. */
  hiddenAfterRegistration: boolean;
  /** Origins that may show the tool in a frame; null when they cannot be known. */
  frameAncestors: (known: FrameOrigins) => readonly string[] | null;
  gradebook: GradebookTraits;
};

/** Sets of sentences about one product in the message catalogues. A product without its own takes "other". */
export type LmsWording = "moodle" | "canvas" | "other";

/** What the parts of a course are: sections (people are enrolled in one) or groups. */
export type SectionKind = "sections" | "groups";

/** Web origins from which an LMS may show a course, each list without duplicates or what is no origin. */
export type FrameOrigins = {
  /** Of the registration: issuer and authorization address. */
  registered: readonly string[];
  /** Of the course's page. */
  course: readonly string[];
  /** Of the course's gradebook and list of people. */
  services: readonly string[];
  /** By which the reader came; empty when their launch did not say. */
  reader: readonly string[];
};

/** What a product's gradebook does with scores that are sent, and what its results say of grades that are there. */
export type GradebookTraits = {
  /** Whose grades its results include: everybody's, or those of people whom the tool has graded before (Canvas). */
  resultsInclude: "everybody" | "graded-only";
  /** Whether it is known to report a grade of 0 as such; others may show 0 for "no grade". */
  reportsZero: boolean;
  /** An empty result where a score was taken means that a teacher cleared it (Canvas: or excused the person). */
  emptyMeansCleared: boolean;
  /** A score that is sent takes "Excused" off the person, and nothing tells that they had it (Canvas). */
  sendingEndsExcused: boolean;
  /** Takes a score and goes on showing what a teacher typed in before (Moodle's override). */
  keepsTeachersGrade: boolean;
  /**
   * In what points its results report a grade: "told": those they name beside it. "column": the column's own of today, though
   * they name those of the time when the grade was written (Moodle). "as-sent": ours as it was sent, whatever became of the
   * column's points since (Canvas).
   */
  resultsIn: "told" | "column" | "as-sent";
};
