import { spaceUserRecord } from "./space-user.ts";
import { spaceRequestRecord } from "./space-request.ts";
import { describeRecord, index, text } from "../../../domain/record.ts";

/** A course's earlier Space; sessions held there stay the course's. */
export const formerSpaceRecord = describeRecord("FormerSpace", {
  id: null,
  fields: { environment: text, spaceId: text, courseId: text },
  indexes: [index("environment", "spaceId"), index("courseId")],
  held: { key: "formerSpaces", holds: "which Spaces were the course's; no person", kept: "with the course" },
});

export const spacesRecords = [spaceRequestRecord, spaceUserRecord, formerSpaceRecord];
