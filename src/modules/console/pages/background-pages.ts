import { Router } from "express";
import { z } from "zod";
import { personName } from "../../../domain/person-name.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { writeAudit } from "../../audit/audit.ts";
import { courseName } from "../../courses/rules/course.ts";
import { listMails } from "../../mail/mails.ts";
import { type Mail, type MailState, mailStates } from "../../mail/rules/records.ts";
import {
  askedOutcomes,
  findJobs,
  type FoundJob,
  type ListedJob,
  type ListedTasks,
  listJobs,
  listTasks,
  retryTasks,
} from "../../operations/background-work.ts";
import type { JobRun } from "../../operations/rules/job.ts";
import type { WaitingWork } from "../../operations/store/waiting-work.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import { addressWith, placeIn } from "./fields.ts";
import { type Gate, narrowed, type Visit } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

export type JobsPage = ConsoleFrame & {
  query: JobQuery;
  outcomes: typeof askedOutcomes;
  names: { name: string; label: string }[];
  filtered: boolean;
  jobs: (FoundJob & { label: string })[];
  workOf: (run: JobRun) => string;
  started: string | null;
  now: number;
};

const jobsPage = defineView<JobsPage>("admin/jobs");

const jobQueryShape = z.object({
  job: z.string().max(100).catch(""),
  outcome: z.enum(["", ...askedOutcomes]).catch(""),
});

type JobQuery = z.infer<typeof jobQueryShape>;

export function jobsPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/jobs",
    gate.page((visit) => showJobs(deps, visit)),
  );
  router.post(
    "/jobs/:name/run",
    gate.action(async ({ part, request, response, t, asOperator }) => {
      const name = part("name");
      if (!(await deps.runJob(name))) throw refusal("no-such-console-page", { status: 404 });
      await writeAudit(
        { ...deps, ...asOperator },
        {
          what: "job-started",
          registrationId: null,
          on: jobName(t, name),
        },
      );
      response.redirect(303, addressWith("/admin/jobs", { ...queryOf(request.body, null), note: name }));
    }),
  );
  return router;
}

async function showJobs(deps: ConsoleApp, { request, show, t }: Visit): Promise<void> {
  const jobs = await listJobs(deps);
  const query = queryOf(request.query, jobs);
  const orNull = <One extends string>(one: One | "") => (one === "" ? null : one);
  const found = findJobs(jobs, { name: orNull(query.job), outcome: orNull(query.outcome) });
  const started = jobs.find(({ name }) => name === request.query["note"]);
  show({
    view: jobsPage,
    title: t("console.areas.jobs"),
    area: "jobs",
    model: {
      query,
      outcomes: askedOutcomes,
      names: jobs.map(({ name }) => ({ name, label: jobName(t, name) })),
      filtered: query.job !== "" || query.outcome !== "",
      jobs: found.map((job) => ({ ...job, label: jobName(t, job.name) })),
      workOf: (run) => workText(t, run),
      started: started === undefined ? null : jobName(t, started.name),
      now: deps.clock.now(),
    },
  });
}

/** A job of another release has its own name only. */
function jobName(t: Translate, name: string): string {
  return t.dynamic(`console.jobs.names.${name}`) ?? name;
}

function workText(t: Translate, { done, failed, waiting }: JobRun): string {
  if ((failed ?? 0) > 0)
    return t("console.jobs.doneFailedAndWaiting", {
      done: done ?? 0,
      failed: failed ?? 0,
      waiting: waiting ?? 0,
    });
  if (waiting == null) return done === null ? "–" : String(done);
  return t("console.jobs.doneAndWaiting", { done: done ?? 0, waiting });
}

/** @param jobs Known ones; null when nobody has looked. */
function queryOf(given: unknown, jobs: readonly ListedJob[] | null): JobQuery {
  const query = jobQueryShape.parse(typeof given === "object" && given !== null ? given : {});
  const isJob = jobs === null || jobs.some(({ name }) => name === query.job);
  return isJob ? query : { ...query, job: "" };
}

/** `retried`: how many tasks were just retried. */
export type TasksPage = ConsoleFrame & {
  kinds: (ListedTasks & { name: string })[];
  /** Work that is no task. `page`: where more of it is shown. */
  others: (WaitingWork & { name: string; page: string | null })[];
  retried: number | null;
  now: number;
};

const tasksPage = defineView<TasksPage>("admin/tasks");

/** They show work of a kind one by one. */
const pageOf: Partial<Record<WaitingWork["kind"], string>> = {
  receipts: "/admin/receipts",
  "slow-receipts": "/admin/receipts",
  deliveries: "/admin/deliveries",
  erasures: "/admin/erasures",
};

const retriedSchema = z.coerce.number().int().min(0).catch(-1);

export function tasksPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/tasks",
    gate.page(async ({ request, show, t }) => {
      const retried = retriedSchema.parse(request.query["retried"]);
      show({
        view: tasksPage,
        title: t("console.areas.tasks"),
        area: "tasks",
        model: {
          kinds: (await listTasks(deps)).map((one) => ({ ...one, name: kindName(t, one.kind) })),
          others: (await deps.waitingWork.list(deps.clock.now())).map((one) => ({
            ...one,
            name: t(`console.tasks.others.names.${one.kind}`),
            page: pageOf[one.kind] ?? null,
          })),
          retried: retried < 0 ? null : retried,
          now: deps.clock.now(),
        },
      });
    }),
  );
  router.post(
    "/tasks/:kind/run",
    gate.action(async ({ part, response, t, asOperator }) => {
      const kind = part("kind");
      const retried = await retryTasks(deps, kind);
      if (retried === null) throw refusal("no-such-console-page", { status: 404 });
      await writeAudit(
        { ...deps, ...asOperator },
        {
          what: "job-started",
          registrationId: null,
          on: kindName(t, kind),
        },
      );
      response.redirect(303, addressWith("/admin/tasks", { retried: String(retried) }));
    }),
  );
  return router;
}

/** A kind of another release has its own name only. */
function kindName(t: Translate, kind: string): string {
  return t.dynamic(`console.tasks.names.${kind}`) ?? kind;
}

export type MailsPage = ConsoleFrame & {
  /** Whether there is any mail. */
  on: boolean;
  states: { label: string; link: string; current: boolean }[];
  mails: MailShown[];
  first: boolean;
  newest: string;
  older: string | null;
};

type MailShown = Pick<Mail, "kind" | "state" | "createdAt" | "changedAt"> & {
  /** A name; never an address. */
  to: string;
  person: string | null;
  course: { id: string; name: string } | null;
  tone: Tone;
  /** What the server or the tool said; null for nothing. */
  reply: string | null;
};

const mailsPage = defineView<MailsPage>("admin/mails");

const mailQueryShape = z.object({ state: z.enum(mailStates).nullable().catch(null) });

const toneOf: Readonly<Record<MailState, Tone>> = {
  waiting: "info",
  sending: "info",
  sent: "good",
  unneeded: "none",
  refused: "bad",
  failed: "bad",
  unknown: "bad",
};

/** Who was sent what, and how it went. An LMS's administrators see its own. */
export function mailsPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/mails",
    gate.page(async ({ request, show, t, within }) => {
      const { state } = mailQueryShape.parse(request.query);
      const place = placeIn(request.query);
      const { mails, olderThan } = await listMails(deps, { registrationId: within, state }, place);
      const [people, courses] = await Promise.all([
        deps.people.findMany(idsOf(mails, "personId")),
        Promise.all(idsOf(mails, "courseId").map((id) => deps.courses.find(id))),
      ]);
      const names = new Map(people.map((one) => [one.id, personName(one)]));
      const titles = new Map(courses.flatMap((one) => (one === null ? [] : [[one.id, courseName(one)]])));
      const stated = state === null ? {} : { state };
      show({
        view: mailsPage,
        title: t("console.areas.mails"),
        area: "mails",
        model: {
          on: deps.config.mail !== null,
          states: [null, ...mailStates].map((one) => ({
            label: t(one === null ? "common.all" : `mail.log.states.${one}`),
            link: addressWith("/admin/mails", one === null ? {} : { state: one }),
            current: one === state,
          })),
          mails: mails.map(({ kind, state: its, createdAt, changedAt, personId, courseId, reply }) => ({
            ...{ kind, state: its, createdAt, changedAt, tone: toneOf[its] },
            to: personId === null ? t("mail.log.operator") : (names.get(personId) ?? t("mail.log.nobody")),
            person: personId !== null && names.has(personId) ? personId : null,
            course: courseId === null ? null : { id: courseId, name: titles.get(courseId) ?? courseId },
            reply:
              its === "sent" || reply === null ? null : (t.dynamic(`mail.log.replies.${reply}`) ?? reply),
          })),
          first: place === null,
          newest: addressWith("/admin/mails", stated),
          older: olderThan === null ? null : addressWith("/admin/mails", { ...stated, place: olderThan }),
        },
      });
    }, narrowed),
  );
  return router;
}

function idsOf(mails: readonly Mail[], field: "personId" | "courseId"): string[] {
  return [...new Set(mails.flatMap((one) => one[field] ?? []))];
}
