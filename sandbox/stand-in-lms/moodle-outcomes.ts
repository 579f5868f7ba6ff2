// From: measured.
import { createHash, randomInt } from "node:crypto";
import type { Lms } from "./lms.ts";
import { columnsOf } from "./lms-world.ts";
import type { Link } from "./lms-records.ts";

/** The identifier of the old outcomes service; new in every launch. */
export function resultSourcedId(linkId: string, personId: string, toolId: string): string {
  const content = { instanceid: linkId, userid: personId, typeid: toolId, launchid: randomInt(2 ** 31) };
  return JSON.stringify({
    data: content,
    hash: createHash("sha256").update(JSON.stringify(content)).digest("hex"),
  });
}

export function isGraded(lms: Lms, link: Link): boolean {
  return columnsOf(lms.world, link.courseId).some((column) => column.coupledLinkId === link.id);
}
