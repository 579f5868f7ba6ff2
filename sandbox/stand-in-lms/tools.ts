// Imitates nothing.
import { createHash } from "node:crypto";
import type { Lms } from "./lms.ts";
import { lti } from "./lti-names.ts";
import type { LmsWorld, Tool } from "./lms-records.ts";

/** Links without a tool become its links. */
export function activateTool(world: LmsWorld, toolId: string): Tool {
  const tool = world.tools.get(toolId);
  if (tool === undefined) throw new Error(`The stand-in LMS has no tool ${toolId}.`);
  tool.state = "active";
  for (const course of world.courses.values()) {
    for (const link of course.links) link.toolId ??= toolId;
  }
  return tool;
}

/** Canvas only. @returns The new deployment's name. */
export function installInCourse(tool: Tool, courseId: string): string {
  const name = `${tool.id}0${courseId}:${createHash("sha256").update(`${tool.clientId} ${courseId}`).digest("hex").slice(0, 40)}`;
  tool.courseDeployments.set(courseId, name);
  return name;
}

export type ToolByHand = {
  name: string;
  loginUrl: string;
  launchUrl: string;
  jwksUrl: string;
  /** The launch address alone when left out. */
  redirectUrls?: string[];
  /** For the content selection dialog; null or left out: none. */
  deepLinkingUrl?: string | null;
  custom?: Record<string, string>;
  /** All of grades and roster when left out. */
  scopes?: string[];
};

/** What a tool says of itself; the rest belongs to the LMS. */
export type ToolWords = Omit<
  Tool,
  "id" | "clientId" | "deploymentId" | "state" | "courseDeployments" | "noticeHandlers"
>;

export function newTool(lms: Lms, clientId: string, words: ToolWords): Tool {
  const { world, manners } = lms;
  const id = world.nextId("tool");
  const tool: Tool = {
    ...words,
    id,
    clientId,
    deploymentId: manners.deploymentIdOf(id),
    state: "pending",
    courseDeployments: new Map(),
    noticeHandlers: new Map(),
  };
  world.tools.set(id, tool);
  return tool;
}

/** It works at once; its client id is to be pasted into the tool. */
export function addToolByHand(lms: Lms, form: ToolByHand): Tool {
  const tool = newTool(lms, lms.manners.newClientId(), {
    name: form.name,
    description: "",
    loginUrl: form.loginUrl,
    launchUrl: form.launchUrl,
    redirectUrls: form.redirectUrls ?? [form.launchUrl],
    jwksUrl: form.jwksUrl,
    deepLinkingUrl: form.deepLinkingUrl ?? null,
    domain: URL.parse(form.launchUrl)?.host ?? "",
    logoUrl: null,
    scopes: form.scopes ?? Object.values(lti.scope),
    custom: form.custom ?? {},
    shares: { names: true, email: true },
    placements: [],
  });
  return activateTool(lms.world, tool.id);
}
