import type { SoundAndPicture } from "./feedback.ts";
import { once, given } from "../../../domain/held-record.ts";
import { date, describeRecord, expiry, index, number, text, textOf } from "../../../domain/record.ts";

export const feedbackTriesRecord = describeRecord("FeedbackTries", {
  id: null,
  fields: { count: number, forgottenAt: date },
  indexes: [expiry("forgottenAt")],
  held: {
    key: "feedbackTries",
    holds: "how often feedback was tried from one page, by a digest",
    kept: "days; then the store deletes it",
  },
});

export const feedbackRecord = describeRecord("Feedback", {
  id: null,
  fields: {
    registrationId: text,
    courseId: text,
    personId: text,
    /** Key of the class (`occasionKey`). */
    occasion: text,
    /** The classroom's session as the address named it; nothing depends on it. */
    sessionId: text.orNull,
    rating: number.orNull,
    soundAndPicture: textOf<SoundAndPicture>().orNull,
    comment: text.orNull,
    givenAt: number,
  },
  hidden: { forgottenAt: date },
  indexes: [
    index("courseId", "occasion", "-givenAt"),
    index("registrationId", "personId"),
    expiry("forgottenAt"),
  ],
  held: {
    key: "feedback",
    holds: "what a learner said about a class: stars, sound and picture, a comment",
    kept: "as long as it is shown; then the store deletes it",
    person: [once],
    given: given(once, "courseId rating soundAndPicture comment givenAt"),
    names: [{ path: "personId", among: "registration" }],
  },
});

export const feedbackOccasionRecord = describeRecord("FeedbackOccasion", {
  id: null,
  fields: {
    courseId: text,
    key: text,
    spaceId: text,
    eventId: text.orNull,
    heldAt: number,
    forgottenAt: date,
  },
  indexes: [index("courseId", "-heldAt"), expiry("forgottenAt")],
  held: {
    key: "feedbackOccasions",
    holds: "classes that feedback was given about; no person",
    kept: "as long as feedback is shown; then the store deletes it",
  },
});

export const feedbackRecords = [feedbackTriesRecord, feedbackRecord, feedbackOccasionRecord];
