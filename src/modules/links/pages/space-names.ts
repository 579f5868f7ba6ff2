import type { KnownSpace } from "../../spaces/usable-space.ts";

/** By their courses, for a list to choose from. */
export function spaceNames(spaces: readonly KnownSpace[]): { spaceId: string; name: string }[] {
  return spaces.map(({ spaceId, course }) => ({ spaceId, name: course.title || course.label || spaceId }));
}
