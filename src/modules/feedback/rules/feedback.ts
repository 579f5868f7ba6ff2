import { given, once } from "../../../domain/personal-data.ts";
import { describeRecord, field, index } from "../../../domain/record.ts";
import { hourMs, minuteMs } from "../../../kernel/clock.ts";
import { timeZoneOf, wallTimeOf } from "../../scheduling/rules/time-zone.ts";

export const feedbackTriesRecord = describeRecord("FeedbackTries", {
  id: null,
  fields: { count: field.number, forgottenAt: field.date },
  indexes: [index.expiry("forgottenAt")],
  personalData: {
    key: "feedbackTries",
    holds: "how often one page tried to send feedback, by digest",
    stored: "days",
  },
});

export const feedbackRecord = describeRecord("Feedback", {
  id: null,
  fields: {
    registrationId: field.text,
    courseId: field.text,
    personId: field.text,
    /** Key of the class (`occasionKey`). */
    occasion: field.text,
    /** The classroom's session as the address named it. Nothing depends on it. */
    sessionId: field.text.orNull,
    rating: field.number.orNull,
    soundAndPicture: field.textOf<SoundAndPicture>().orNull,
    comment: field.text.orNull,
    givenAt: field.number,
  },
  hidden: { forgottenAt: field.date },
  indexes: [
    index("courseId", "occasion", "-givenAt"),
    index("registrationId", "personId"),
    index.expiry("forgottenAt"),
  ],
  personalData: {
    key: "feedback",
    holds: "a learner's feedback on a class: stars, sound and picture, comment",
    stored: "as long as it is shown",
    person: [once],
    given: given(once, "courseId rating soundAndPicture comment givenAt"),
    names: [{ path: "personId", among: "registration" }],
  },
});

export const feedbackOccasionRecord = describeRecord("FeedbackOccasion", {
  id: null,
  fields: {
    courseId: field.text,
    key: field.text,
    spaceId: field.text,
    eventId: field.text.orNull,
    heldAt: field.number,
    forgottenAt: field.date,
  },
  indexes: [index("courseId", "-heldAt"), index.expiry("forgottenAt")],
  personalData: {
    key: "feedbackOccasions",
    holds: "classes with feedback; no person",
    stored: "as long as feedback is shown",
  },
});

export const feedbackRecords = [feedbackTriesRecord, feedbackRecord, feedbackOccasionRecord];

/** Who left which Space, from an address that can be typed by hand, so it never proves anything. */
export type Attribution = {
  spaceId: string | null;
  userId: string | null;
  eventId: string | null;
  sessionId: string | null;
};

/** Parameter names of each part, tried in order (document part 1, item 9: not shown). */
export type AttributionNames = Readonly<Record<keyof Attribution, readonly string[]>>;

export const soundAndPictureAnswers = ["yes", "partly", "no"] as const;

type SoundAndPicture = (typeof soundAndPictureAnswers)[number];

/** Worst first. */
export const ratings = [1, 2, 3, 4, 5] as const;

/** Every part is optional, but one is needed. */
export type FeedbackAnswer = {
  /** One of `ratings`. */
  rating: number | null;
  soundAndPicture: SoundAndPicture | null;
  /** At most `maxCommentCharacters`. */
  comment: string | null;
};

/** The class of an answer: an event of the classroom, or a day of the course in a Space. */
export type Occasion = {
  spaceId: string;
  /** Null if no event fits. */
  eventId: string | null;
  /** Start of the event (ms), or midnight UTC of the day that it is in the course's time zone. */
  heldAt: number;
};

export const maxCommentCharacters = 1_000;

const maxIdCharacters = 200;
/** A class may be rated from this long before its planned start (it began early) to an hour after its planned end. */
const earlyMs = 15 * minuteMs;
const lateMs = hourMs;

/** From an address or a form. Null for parts that are missing, contradictory, too long or not plain text. */
export function attributionFrom(
  parameters: Readonly<Record<string, unknown>>,
  names: AttributionNames,
): Attribution {
  const given = new Map(Object.entries(parameters));
  const read = (part: keyof Attribution) => {
    for (const name of names[part]) {
      const id = idFrom(given.get(name));
      if (id !== null) return id;
    }
    return null;
  };
  return {
    spaceId: read("spaceId"),
    userId: read("userId"),
    eventId: read("eventId"),
    sessionId: read("sessionId"),
  };
}

function idFrom(value: unknown): string | null {
  const once: unknown = Array.isArray(value) && new Set(value).size === 1 ? value[0] : value;
  if (typeof once !== "string") return null;
  const id = once.trim();
  return id !== "" && id.length <= maxIdCharacters && !/[\s\p{Cc}\p{Cs}<>"']/u.test(id) ? id : null;
}

/** What decides whether an event may be rated. */
export type JudgedEvent = {
  eventId: string;
  spaceId: string | null;
  startsAt: number | null;
  endsAt: number | null;
  cancelled: boolean;
};

/**
 * The class a person has just left: the named event if it belongs to this Space and has begun, or the only event of the Space that is going on
 * or has just ended, or this day in this Space.
 * @param known Events of the course, and the named event if it was read. @param timeZone The course's. UTC without one.
 */
export function occasionOf(
  spaceId: string,
  namedEventId: string | null,
  known: readonly JudgedEvent[],
  now: number,
  timeZone: string | null,
): Occasion {
  const ofSpace = known.filter((event) => event.spaceId === spaceId && !event.cancelled);
  const named = ofSpace.find(
    (event) => event.eventId === namedEventId && (event.startsAt ?? 0) - earlyMs <= now,
  );
  const current = ofSpace.filter((event) => isGoingOn(event, now));
  const event = named ?? (current.length === 1 ? current[0] : undefined);
  const today = Date.parse(wallTimeOf(now, timeZoneOf(timeZone ?? "") ?? "UTC").date);
  return {
    spaceId,
    eventId: event?.eventId ?? null,
    heldAt: event === undefined ? today : (event.startsAt ?? today),
  };
}

function isGoingOn({ startsAt, endsAt }: JudgedEvent, now: number): boolean {
  return startsAt !== null && endsAt !== null && startsAt - earlyMs <= now && now <= endsAt + lateMs;
}

/** Identifies a class in the keys of its answers. */
export function occasionKey({ spaceId, eventId, heldAt }: Occasion): string {
  const which = eventId === null ? `day ${new Date(heldAt).toISOString().slice(0, 10)}` : `event ${eventId}`;
  return `${spaceId} ${which}`;
}

/** Keeps one character per line end and no other control characters, trimmed. @returns null if nothing is left. */
export function tidyComment(typed: string): string | null {
  const tidy = typed
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .toWellFormed()
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return tidy === "" ? null : tidy;
}

/** Why an answer isn't accepted, or null if it is. Counts characters as people do, not as UTF-16 does. */
export function problemOf({ rating, soundAndPicture, comment }: FeedbackAnswer): "empty" | "too-long" | null {
  if (comment !== null && Array.from(comment).length > maxCommentCharacters) return "too-long";
  return rating === null && soundAndPicture === null && comment === null ? "empty" : null;
}

export function tallyOf(answers: readonly Pick<FeedbackAnswer, "rating" | "soundAndPicture">[]) {
  const given = answers.flatMap(({ rating }) => (rating === null ? [] : [rating]));
  const sum = given.reduce((total, rating) => total + rating, 0);
  const count = (answer: SoundAndPicture) =>
    answers.filter(({ soundAndPicture }) => soundAndPicture === answer).length;
  return {
    answers: answers.length,
    /** Rounded to one decimal. Null without ratings. */
    average: given.length === 0 ? null : Math.round((sum * 10) / given.length) / 10,
    soundAndPicture: { yes: count("yes"), partly: count("partly"), no: count("no") },
  };
}
