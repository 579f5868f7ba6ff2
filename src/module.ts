import type { RequestHandler } from "express";
import { knownFamilies } from "./inbox/rules/webhook.ts";
import type { WebhookHandler } from "./inbox/webhook-handlers.ts";
import { jobNames } from "./modules/operations/rules/job.ts";
import { retryPolicies } from "./tasks/task-kind.ts";
import type { TimetableEntry } from "./tasks/timetable.ts";
import type { Work } from "./tasks/work.ts";

/** Where the web front mounts routes. `web/web-app.ts` says what comes before and after each place. */
export type MountPoint =
  /** For load balancers and monitoring, before everything else. */
  | "health"
  /** Under /webhooks. */
  | "webhooks"
  /** Under /api/v1, for programs. */
  | "api"
  /** For calendar programs. */
  | "calendar"
  /** Under /lti, before any body is read. */
  | "lti"
  /** Under /admin. */
  | "admin"
  /** Pages for people. Forms from other origins are refused. */
  | "pages";

/** What a module contributes to the tool. All parts are optional. */
export type Module = {
  /** Routes, in the order in which they are mounted. */
  routes?: Partial<Record<MountPoint, readonly RequestHandler[]>>;
  /** Background work, done by every process. */
  works?: readonly Work[];
  /** Handles webhooks. Each family has exactly one module. */
  webhooks?: readonly WebhookHandler[];
  /** Work by the clock, done by one process at a time. */
  jobs?: readonly TimetableEntry[];
  /** Closes whatever the module has open, after all work has stopped. */
  close?: () => Promise<void>;
};

/**
 * Checks that everything has a module. Otherwise a webhook would be stored and never read, a job never run, a task wait forever.
 * @param workedOn Kinds of tasks that have a worker.
 * @throws Error naming each webhook family, job and kind of task without a module.
 */
export function requireAllDone(modules: readonly Module[], workedOn: readonly string[]): void {
  const without = (what: string, wanted: readonly string[], done: readonly string[]) =>
    wanted.filter((one) => !done.includes(one)).map((one) => `${what} ${one}`);
  const left = [
    ...without(
      "webhooks of",
      knownFamilies,
      modules.flatMap(({ webhooks = [] }) => webhooks.map(({ family }) => family)),
    ),
    ...without(
      "the job",
      jobNames,
      modules.flatMap(({ jobs = [] }) => jobs.map(({ name }) => name)),
    ),
    ...without("tasks of the kind", Object.keys(retryPolicies), workedOn),
  ];
  if (left.length > 0) throw new Error(`no module takes: ${left.join(", ")}`);
}
