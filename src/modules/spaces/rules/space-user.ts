import type { ClassroomRole } from "../../../domain/api-user.ts";
import type { SpaceName } from "./space-right.ts";

/** That a Space was told of a user, or could not be. One for each (Space, user). */
export type SpaceUser = SpaceName & {
  userId: string;
  /** As what it was told last, and when (ms); null when it never was. */
  role: ClassroomRole | null;
  toldAt: number | null;
  /** It was told when it was made; else it was told later. */
  fromStart: boolean;
  /** When telling it failed last (ms) and with which code; null when nothing did since it was told. */
  failedAt: number | null;
  problem: string | null;
};

/** Why somebody could not be added to a Space: what names it in records and on pages. */
export const notOnList = "space-list-refused";
