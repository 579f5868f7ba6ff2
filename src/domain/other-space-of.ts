type Opens =
  { kind: "course-space" } | { kind: "space"; spaceId: string } | { kind: "session"; inSpace?: string };

/** Null: the course's own. */
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
