// From: scores_controller.rb.
import { z } from "zod";

export const submissionExtension = "https://canvas.instructure.com/lti/submission";

const submissionTypes = [
  "none",
  "basic_lti_launch",
  "online_text_entry",
  "external_tool",
  "online_upload",
  "online_url",
] as const;

export const canvasScoreSchema = z.looseObject({
  userId: z.coerce.string(),
  timestamp: z.string(),
  activityProgress: z.enum(["Initialized", "Started", "InProgress", "Submitted", "Completed"]),
  gradingProgress: z.enum(["NotReady", "Failed", "Pending", "PendingManual", "FullyGraded"]),
  scoreGiven: z.number().nullish(),
  scoreMaximum: z.number().nullish(),
  comment: z.string().nullish(),
  submission: z.looseObject({ submittedAt: z.string().nullish() }).nullish(),
  [submissionExtension]: z
    .looseObject({
      new_submission: z.boolean().default(true),
      preserve_score: z.boolean().default(false),
      prioritize_non_tool_grade: z.boolean().default(false),
      submission_type: z.enum(submissionTypes).default("external_tool"),
      submitted_at: z.string().nullish(),
    })
    .prefault({}),
});

export type CanvasScore = z.output<typeof canvasScoreSchema>;
