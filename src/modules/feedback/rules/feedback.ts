/** What the classroom says about who left which Space; an address anybody can write, so never a proof. */
export type Attribution = {
  spaceId: string | null;
  userId: string | null;
  eventId: string | null;
  sessionId: string | null;
};

/** Names under which each part of an attribution may come, tried in order (document part 1, item 9: not shown). */
export type AttributionNames = Readonly<Record<keyof Attribution, readonly string[]>>;

/** How sound and picture worked for somebody. */
export const soundAndPictureAnswers = ["yes", "partly", "no"] as const;

/** One of `soundAndPictureAnswers`. */
export type SoundAndPicture = (typeof soundAndPictureAnswers)[number];

/** Ratings of a class, worst first. */
export const ratings = [1, 2, 3, 4, 5] as const;

/** What somebody answered; every part is optional, but not all of them at once. */
export type FeedbackAnswer = {
  /** One of `ratings`. */
  rating: number | null;
  soundAndPicture: SoundAndPicture | null;
  /** At most `maxCommentCharacters`. */
  comment: string | null;
};

/** The class that an answer is about: an event of the classroom, or else a day (UTC) in a Space. */
export type Occasion = {
  spaceId: string;
  /** Null when no event of the classroom fits. */
  eventId: string | null;
  /** Start of the event, or of the day (ms). */
  heldAt: number;
};

/** All answers about one class. */
export type FeedbackTally = {
  answers: number;
  /** Rounded to one decimal; null when nobody rated. */
  average: number | null;
  rated: number;
  soundAndPicture: Record<SoundAndPicture, number>;
};

/** Most characters of a comment. */
export const maxCommentCharacters = 1_000;

const maxIdCharacters = 200;
const minuteMs = 60_000;
const day = 24 * 60 * minuteMs;
/** A class may be judged a little before its planned start (it began early) and an hour after its planned end. */
const earlyBy = 15 * minuteMs;
const lateBy = 60 * minuteMs;

/**
 * Reads an attribution from the parameters of an address or a form. Whatever is missing, repeated with different
 * values, too long or no plain text counts as not told.
 */
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

/** What is known of an event when it is decided whether somebody may judge it. */
export type JudgedEvent = {
  eventId: string;
  spaceId: string | null;
  startsAt: number | null;
  endsAt: number | null;
  cancelled: boolean;
};

/**
 * Which class somebody has just left: the event that the classroom names, when it is one of this Space that has
 * begun; else the only event of the Space that is going on or has just ended; else this day in this Space.
 * @param known Events of the course, among them the named one when we have read it.
 */
export function occasionOf(
  spaceId: string,
  namedEventId: string | null,
  known: readonly JudgedEvent[],
  now: number,
): Occasion {
  const ofSpace = known.filter((event) => event.spaceId === spaceId && !event.cancelled);
  const named = ofSpace.find(
    (event) => event.eventId === namedEventId && (event.startsAt ?? 0) - earlyBy <= now,
  );
  const current = ofSpace.filter((event) => isGoingOn(event, now));
  const event = named ?? (current.length === 1 ? current[0] : undefined);
  const today = now - (now % day);
  return {
    spaceId,
    eventId: event?.eventId ?? null,
    heldAt: event === undefined ? today : (event.startsAt ?? today),
  };
}

function isGoingOn({ startsAt, endsAt }: JudgedEvent, now: number): boolean {
  return startsAt !== null && endsAt !== null && startsAt - earlyBy <= now && now <= endsAt + lateBy;
}

/** What is one and the same for all answers about a class; part of the key of an answer. */
export function occasionKey({ spaceId, eventId, heldAt }: Occasion): string {
  const which = eventId === null ? `day ${new Date(heldAt).toISOString().slice(0, 10)}` : `event ${eventId}`;
  return `${spaceId} ${which}`;
}

/**
 * A comment as it is kept: line ends as one character, no other control characters, no white space around it.
 * @returns null when nothing is left.
 */
export function tidyComment(typed: string): string | null {
  const tidy = typed
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .toWellFormed()
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return tidy === "" ? null : tidy;
}

/** Why an answer is not taken; null when it is. Characters are counted as people count them, not as UTF-16 does. */
export function problemOf({ rating, soundAndPicture, comment }: FeedbackAnswer): "empty" | "too-long" | null {
  if (comment !== null && Array.from(comment).length > maxCommentCharacters) return "too-long";
  return rating === null && soundAndPicture === null && comment === null ? "empty" : null;
}

/** Counts and average of the answers about one class. */
export function tallyOf(
  answers: readonly Pick<FeedbackAnswer, "rating" | "soundAndPicture">[],
): FeedbackTally {
  const given = answers.flatMap(({ rating }) => (rating === null ? [] : [rating]));
  const sum = given.reduce((total, rating) => total + rating, 0);
  const count = (wanted: SoundAndPicture) =>
    answers.filter(({ soundAndPicture }) => soundAndPicture === wanted).length;
  return {
    answers: answers.length,
    average: given.length === 0 ? null : Math.round((sum * 10) / given.length) / 10,
    rated: given.length,
    soundAndPicture: { yes: count("yes"), partly: count("partly"), no: count("no") },
  };
}
