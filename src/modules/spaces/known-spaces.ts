import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";

export type KnownSpacesDeps = Pick<App, "courses" | "courseLinks">;

/** Whether a course or a link uses a Space. */
export type KnownSpaces = (environment: AccountId, spaceId: string) => Promise<boolean>;

/** Asks once for each Space: webhooks processed together are mostly about the same few. */
export function knownSpaces({ courses, courseLinks }: KnownSpacesDeps): KnownSpaces {
  const known = new Map<string, Promise<boolean>>();
  const look = async (environment: AccountId, spaceId: string) =>
    (await courses.findBySpace(environment, spaceId)).length > 0 || courseLinks.anyOpening(spaceId);
  return (environment, spaceId) => {
    const key = JSON.stringify([environment, spaceId]);
    const found = known.get(key) ?? look(environment, spaceId);
    known.set(key, found);
    return found;
  };
}
