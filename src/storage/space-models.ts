import type { Connection, Model } from "mongoose";
import { readerOf, type RowOf } from "../domain/record.ts";
import {
  registeredSpaceRecord,
  type SpaceRight,
  spaceRightRecord,
} from "../modules/spaces/rules/space-right.ts";
import { recordModel } from "./record-model.ts";

export type RegisteredSpaceRow = RowOf<typeof registeredSpaceRecord>;
export type SpaceRightRow = RowOf<typeof spaceRightRecord>;

/** More than one store may ask for them. */
export function spaceModels(connection: Connection): {
  spaces: Model<RegisteredSpaceRow>;
  rights: Model<SpaceRightRow>;
} {
  return {
    spaces: recordModel(connection, registeredSpaceRecord),
    rights: recordModel(connection, spaceRightRecord),
  };
}

export const toSpace = readerOf(registeredSpaceRecord);

const readRight = readerOf(spaceRightRecord);

export function toRight(row: SpaceRightRow): SpaceRight {
  return { madeForLms: row.way === "made", ...readRight(row) };
}
