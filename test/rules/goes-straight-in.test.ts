import { expect, test } from "vitest";
import type { StaffRole } from "../../src/domain/course-rights.ts";
import { goesStraightIn } from "../../src/modules/launch/pages/send-inside.ts";

test.each<["page" | "space", "instructor" | "learner", StaffRole | null, boolean]>([
  ["page", "learner", null, true],
  ["space", "learner", null, true],
  ["page", "instructor", "teacher", false],
  ["space", "instructor", "teacher", true],
  ["space", "instructor", "developer", false],
  ["space", "instructor", "administrator", false],
  ["space", "instructor", "manager", false],
  ["page", "instructor", "manager", false],
])(
  "a launch at top level leads straight into the Space where the course says %s, for a %s (%s): %s",
  (instructors, role, staffRole, straight) => {
    expect(goesStraightIn({ role, staffRole }, { instructors })).toBe(straight);
  },
);
