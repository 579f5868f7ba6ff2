import type { RequestHandler } from "express";
import type { WebhookHandler } from "./inbox/webhook-handlers.ts";
import type { TimetableEntry } from "./tasks/start-timetable.ts";
import type { Work } from "./tasks/work.ts";

/** Where the web front mounts routes; `web/web-app.ts` says what stands before and behind each place. */
export type MountPoint =
  /** For balancers and monitoring; before everything else. */
  | "health"
  /** Under /webhooks. */
  | "webhooks"
  /** What calendar programs read. */
  | "calendar"
  /** Under /lti; no body was read yet. */
  | "lti"
  /** Under /admin. */
  | "admin"
  /** Pages of people: forms of other origins are refused. */
  | "pages";

/** What a module gives to the tool. All parts are optional. */
export type Module = {
  /** Addresses, in the order in which they are mounted. */
  routes?: Partial<Record<MountPoint, readonly RequestHandler[]>>;
  /** Background work of every process. */
  works?: readonly Work[];
  /** What webhooks of a family do; each family has one module. */
  webhooks?: readonly WebhookHandler[];
  /** What one process does by the clock. */
  jobs?: readonly TimetableEntry[];
  /** Lets go of what the module holds; after all work has stopped. */
  close?: () => Promise<void>;
};
