import { type Connection, type Model, Schema } from "mongoose";
import type { RegisteredSpace, SpaceElsewhere, SpaceRight } from "../modules/spaces/rules/space-right.ts";

export type RegisteredSpaceRow = RegisteredSpace & { _id: string };
export type SpaceRightRow = Omit<SpaceRight, "madeForLms" | "elsewhere"> & {
  _id: string;
  /** Missing in records of earlier versions. */
  madeForLms?: boolean;
  elsewhere?: SpaceElsewhere | null;
};

/** The models of the register; more than one store may ask for them. */
export function spaceModels(connection: Connection): {
  spaces: Model<RegisteredSpaceRow>;
  rights: Model<SpaceRightRow>;
} {
  if (connection.models.SpaceRight !== undefined) {
    return {
      spaces: connection.model<RegisteredSpaceRow>("RegisteredSpace"),
      rights: connection.model<SpaceRightRow>("SpaceRight"),
    };
  }
  const spaceSchema = new Schema<RegisteredSpaceRow>(
    {
      _id: { type: String, required: true },
      environment: { type: String, required: true },
      spaceId: { type: String, required: true },
      owner: { type: Schema.Types.Mixed, default: null },
      closed: { type: Schema.Types.Mixed, default: null },
    },
    { versionKey: false, minimize: false },
  );
  spaceSchema.index({ "closed.why": 1, "closed.at": -1 });
  const rightSchema = new Schema<SpaceRightRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      environment: { type: String, required: true },
      spaceId: { type: String, required: true },
      way: { type: String, required: true },
      decidedBy: { type: String, default: null },
      throughCourseId: { type: String, default: null },
      madeForLms: { type: Boolean },
      elsewhere: { type: Schema.Types.Mixed, default: null },
      at: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  rightSchema.index({ environment: 1, spaceId: 1 });
  rightSchema.index({ registrationId: 1, way: 1, at: -1 });
  rightSchema.index({ way: 1, at: -1 });
  rightSchema.index({ courseId: 1 });
  rightSchema.index({ throughCourseId: 1 });
  rightSchema.index({ environment: 1, "elsewhere.origin": 1 });
  return {
    spaces: connection.model<RegisteredSpaceRow>("RegisteredSpace", spaceSchema),
    rights: connection.model<SpaceRightRow>("SpaceRight", rightSchema),
  };
}

/** A Space of the register from its record. */
export function toSpace({ _id, ...space }: RegisteredSpaceRow): RegisteredSpace {
  return space;
}

/** A right from its record. */
export function toRight({ _id, ...right }: SpaceRightRow): SpaceRight {
  return { madeForLms: right.way === "made", elsewhere: null, ...right };
}
