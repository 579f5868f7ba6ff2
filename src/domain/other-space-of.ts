type Opens =
  { kind: "course-space" } | { kind: "space"; spaceId: string } | { kind: "session"; inSpace?: string };

/** The Space a link opens instead of its course's; null for the course's own. */
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
