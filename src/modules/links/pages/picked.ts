import { z } from "zod";
import { columnPointsFrom, type LinkOffer } from "../rules/link-offer.ts";
import { spaceIdFrom } from "../../spaces/rules/space-address.ts";
import type { WantedLink } from "../choose-links.ts";

const many = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => (value === undefined ? [] : typeof value === "string" ? [value] : value));
const text = z.string().max(2_000).catch("");

/** Missing fields are empty. */
const formSchema = z.object({
  act: text,
  what: many,
  known: text,
  space: text,
  title: text,
  column: text,
  points: text,
});

export type PickerFields = {
  /** "course", "space" and "session:<event id>". */
  what: string[];
  /** Id of one of the person's other Spaces; "" for none. */
  known: string;
  /** An address or id as typed. */
  space: string;
  title: string;
  column: boolean;
  points: string;
};

/** Keys of sentences, or the sentence itself. */
export type PickerProblems = Partial<
  Record<
    "what" | "space" | "title" | "points",
    | "nothing"
    | "onlyOne"
    | "session"
    | "noSpace"
    | "spaceUnreadable"
    | "tooLong"
    | "points"
    | { said: string }
  >
>;

export type LinkNames = { course: string; space: string; session: (eventId: string) => string };

const maxTitleLength = 255;
const sessionPrefix = "session:";

export function pickerFieldsFrom(body: unknown): { fields: PickerFields; cancelled: boolean } {
  const form = formSchema.parse(typeof body === "object" && body !== null ? body : {});
  const { act, what, known, space, title, points } = form;
  return {
    cancelled: act === "cancel",
    fields: { what: [...new Set(what)], known, space, title, column: form.column !== "", points },
  };
}

/** Without looking anything up. @param appUrl Of the web application of the course's environment. */
export function problemsOf(fields: PickerFields, offer: LinkOffer, appUrl: string): PickerProblems {
  const { what } = fields;
  return {
    ...(what.length === 0 ? { what: "nothing" as const } : {}),
    ...(what.length > 1 && !offer.several ? { what: "onlyOne" as const } : {}),
    ...(what.includes("space") ? spaceProblem(fields, appUrl) : {}),
    ...(fields.title.trim().length > maxTitleLength ? { title: "tooLong" as const } : {}),
    ...(offer.columns && fields.column && columnPointsFrom(fields.points) === null
      ? { points: "points" as const }
      : {}),
  };
}

function spaceProblem(fields: PickerFields, appUrl: string): PickerProblems {
  const typed = spaceNamedIn(fields);
  if (typed === "") return { space: "noSpace" };
  return spaceIdFrom(typed, appUrl) === null ? { space: "spaceUnreadable" } : {};
}

/** What was typed wins over the list. */
function spaceNamedIn({ space, known }: PickerFields): string {
  return space.trim() === "" ? known : space.trim();
}

/** An unchanged title is replaced by the name of what the link opens; with several links, any title is. */
export function wantedLinks(
  fields: PickerFields,
  options: { offer: LinkOffer; names: LinkNames; suggested: string; text: string | null },
): WantedLink[] {
  const { offer, names, suggested } = options;
  const typed = fields.title.trim();
  const own = fields.what.length === 1 && typed !== "" && typed !== suggested ? typed : null;
  const points = offer.columns && fields.column ? columnPointsFrom(fields.points) : null;
  const text = fields.what.length === 1 ? options.text : null;
  return fields.what.map((what) => {
    if (what === "course") {
      return { opens: { kind: "course-space" }, title: own ?? names.course, text, points };
    }
    if (what === "space") {
      return {
        opens: { kind: "space", typed: spaceNamedIn(fields) },
        title: own ?? names.space,
        text,
        points,
      };
    }
    const eventId = what.startsWith(sessionPrefix) ? what.slice(sessionPrefix.length) : "";
    return { opens: { kind: "session", eventId }, title: own ?? names.session(eventId), text, points };
  });
}
