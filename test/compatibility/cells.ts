import type { Manners, QuirkChange } from "../../sandbox/stand-in-lms/lms.ts";

export const engines = ["chromium", "firefox", "webkit"] as const;
export const policies = ["kept", "refused", "neither"] as const;
export const roles = ["learner", "instructor", "assistant", "administrator"] as const;
export const lmsNames = ["moodle-4.5", "moodle-5.1", "canvas", "open-edx", "strict"] as const;

export type Engine = (typeof engines)[number];
export type Policy = (typeof policies)[number];
export type Role = (typeof roles)[number];
export type LmsName = (typeof lmsNames)[number];
/** Whose pages the person gets: by the launch's roles in the course. */
export type Sees = "learner" | "teacher" | "arranger";

type LmsKind = {
  title: string;
  manners: Manners["name"];
  quirks: QuirkChange;
  /** Whether it keeps values for a tool (LTI platform storage). */
  keepsValues: boolean;
  assistant: Sees;
  administrator: Sees;
};

/** How the stand-in behaves; docs/compatibility.md says what each behaviour comes from. */
export const lmsKinds: Record<LmsName, LmsKind> = {
  "moodle-4.5": {
    title: "Moodle 4.5",
    manners: "moodle",
    quirks: { release: "4.5" },
    keepsValues: false,
    assistant: "teacher",
    administrator: "teacher",
  },
  "moodle-5.1": {
    title: "Moodle 5.1",
    manners: "moodle",
    quirks: { release: "5.1" },
    keepsValues: false,
    assistant: "teacher",
    administrator: "teacher",
  },
  canvas: {
    title: "Canvas",
    manners: "canvas",
    quirks: {},
    keepsValues: true,
    // An account's administrator has no role in the course.
    assistant: "teacher",
    administrator: "learner",
  },
  "open-edx": {
    title: "Open edX",
    manners: "other",
    quirks: { openEdx: true },
    keepsValues: false,
    assistant: "teacher",
    administrator: "teacher",
  },
  strict: {
    title: "Strict platform",
    manners: "other",
    quirks: {},
    keepsValues: true,
    // A role in the course, of somebody who doesn't teach.
    assistant: "teacher",
    administrator: "arranger",
  },
};

/** One walk. */
export type Cell = { name: string; engine: Engine; policy: Policy; lms: LmsName; role: Role };

/** The whole Cartesian product. */
export const cells: readonly Cell[] = engines.flatMap((engine) =>
  lmsNames.flatMap((lms) =>
    policies.flatMap((policy) =>
      roles.map((role) => ({ name: [engine, policy, lms, role].join("/"), engine, policy, lms, role })),
    ),
  ),
);

/**
 * @param asked Texts such as "webkit/canvas": parts of a name, in any order. An empty list asks for all. @throws Error with an explanation
 * for a text that fits no cell.
 */
export function chosenCells(asked: readonly string[]): Cell[] {
  const fits = (cell: Cell, text: string) =>
    text.split("/").every((part) => cell.name.split("/").includes(part));
  const nothing = asked.find((text) => !cells.some((cell) => fits(cell, text)));
  if (nothing !== undefined) throw new Error(`No walk is called ${nothing}. --list names them.`);
  return cells.filter((cell) => asked.length === 0 || asked.some((text) => fits(cell, text)));
}

export const seesOf = ({ lms, role }: Pick<Cell, "lms" | "role">): Sees =>
  role === "learner" ? "learner" : role === "instructor" ? "teacher" : lmsKinds[lms][role];

/** Cookies that a browser was seen to keep in the tool's frame. */
export type Keeps = "plain and partitioned" | "partitioned" | "nothing";
/** How a walk gets into the course: in the LMS's frame, by cookies or by values that the LMS keeps, or in a new window. */
export type Way = "frame" | "values" | "window";

export const wayOf = (keeps: Keeps, lms: LmsName): Way => {
  if (keeps !== "nothing") return "frame";
  return lmsKinds[lms].keepsValues ? "values" : "window";
};
