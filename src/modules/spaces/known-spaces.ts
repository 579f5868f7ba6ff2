import type { App } from "../../app.ts";
import type { EnvironmentName } from "../../domain/registration.ts";

export type KnownSpacesDeps = Pick<App, "courses" | "courseLinks">;

/** Whether a Space is any course's, or a link of one opens it. */
export type KnownSpaces = (environment: EnvironmentName, spaceId: string) => Promise<boolean>;

/** Looks once for each Space: of webhooks that are processed together, most are about the same few Spaces. */
export function knownSpaces({ courses, courseLinks }: KnownSpacesDeps): KnownSpaces {
  const known = new Map<string, Promise<boolean>>();
  const look = async (environment: EnvironmentName, spaceId: string) =>
    (await courses.findBySpace(environment, spaceId)).length > 0 || courseLinks.anyOpening(spaceId);
  return (environment, spaceId) => {
    const key = JSON.stringify([environment, spaceId]);
    const found = known.get(key) ?? look(environment, spaceId);
    known.set(key, found);
    return found;
  };
}
