/** What a link opens, as far as Spaces go; every `LinkChoice` is one. */
type Opens =
  { kind: "course-space" } | { kind: "space"; spaceId: string } | { kind: "session"; inSpace?: string };

/** The Space that a link opens instead of its course's own; null when it opens that. */
export function otherSpaceOf(choice: Opens): string | null {
  switch (choice.kind) {
    case "course-space":
      return null;
    case "space":
      return choice.spaceId;
    case "session":
      return choice.inSpace ?? null;
  }
}
