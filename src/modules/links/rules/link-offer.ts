import { courseLinkRecord, type LinkChoice } from "../../../domain/course-link.ts";
import type { DeepLinkingRequest } from "../../../domain/launch.ts";
import { describeRecord, field } from "../../../domain/record.ts";
import { wholeNumber } from "../../../kernel/text.ts";

export const linkChoiceRecord = describeRecord("LinkChoice", {
  id: null,
  fields: {
    registrationId: field.text,
    deploymentId: field.text,
    courseId: field.text,
    choice: field.json<LinkChoice>(),
    createdAt: field.number,
  },
  personalData: {
    key: "linkChoices",
    holds: "which Space a new link opens; no person",
    stored: "with the course",
  },
});

export const linksRecords = [linkChoiceRecord, courseLinkRecord];

export type ContentItem = {
  /** Its title in the course, which in Moodle is also its column's. */
  title: string;
  /** A sentence below it. */
  text: string | null;
  /** They come back with each launch. No tool-level parameter has these names. */
  custom: Readonly<Record<string, string>>;
  /** Null for a link without a column. */
  column: ContentItemColumn | null;
};

type ContentItemColumn = {
  /** A whole number from 1 to 100, because Moodle's form saves nothing else. */
  points: number;
  resourceId: string;
  tag: string;
  /** When a session ends (ms). Null for a column of all sessions, or if it isn't known. */
  endsAt: number | null;
};

export type LinkOffer = {
  /** False if the LMS wants something else, such as files. */
  links: boolean;
  several: boolean;
  columns: boolean;
};

/** Reads the LMS's request. A column may be offered unless the LMS refuses: Moodle says nothing and accepts them. */
export function linkOfferOf(
  request: Pick<DeepLinkingRequest, "acceptTypes" | "acceptMultiple" | "acceptLineItem">,
): LinkOffer {
  return {
    links: request.acceptTypes.includes("ltiResourceLink"),
    several: request.acceptMultiple,
    columns: request.acceptLineItem !== false,
  };
}

/** Points of a column as typed. Null unless it's a whole number from 1 to 100. */
export function columnPointsFrom(typed: string): number | null {
  const points = wholeNumber(typed);
  return points >= 1 && points <= 100 ? points : null;
}
