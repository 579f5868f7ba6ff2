import { courseLinkRecord, type LinkChoice } from "../../../domain/course-link.ts";
import { describeRecord, json, number, text } from "../../../domain/record.ts";

export const linkChoiceRecord = describeRecord("LinkChoice", {
  id: null,
  fields: {
    registrationId: text,
    deploymentId: text,
    courseId: text,
    choice: json<LinkChoice>(),
    createdAt: number,
  },
  held: {
    key: "linkChoices",
    holds: "which Space a new link was chosen for; no person",
    kept: "with the course",
  },
});

export const linksRecords = [linkChoiceRecord, courseLinkRecord];
