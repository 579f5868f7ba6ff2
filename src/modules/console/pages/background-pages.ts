import type { Router } from "express";
import { z } from "zod";
import { refusal } from "../../../kernel/refusal.ts";
import { writeAudit } from "../../audit/audit.ts";
import { askedOutcomes, findJobs, listJobs } from "../../operations/background-work.ts";
import type { JobRun } from "../../operations/rules/job.ts";
import type { WaitingWork } from "../../operations/store/waiting-work.ts";
import { durationText, numberText } from "../../../web/page-text.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, operatorsOnly } from "./gate.ts";
import { type ListContext, consoleList } from "./list.ts";
import { type Asking, choices, doneNote, type Line, type LineView, table, whenOrNever } from "./list-view.ts";
import { addressWith, orNull } from "./requests.ts";

const jobQueryShape = z.object({
  job: z.string().max(100).catch(""),
  outcome: z.enum(["", ...askedOutcomes]).catch(""),
});

/** Jobs, with the runs of the chosen job or outcome. */
export function jobsPages(app: ConsoleApp, gate: Gate): Router {
  const router = consoleList(gate, {
    path: "/jobs",
    area: "jobs",
    read: (given) => jobQueryShape.parse(given),
    rows: (context) => jobRows(app, context),
    around: ({ t, visit }, { jobs, query, filtered }) => {
      const names = jobs.map(({ name }) => name);
      const started = visit.note(names);
      const any = t("inbox.any");
      const nameOf = (name: string) => jobName(t, name);
      const outcomeText = (one: (typeof askedOutcomes)[number]) => t(`console.jobs.filter.outcomes.${one}`);
      const job = ["job", t("console.jobs.filter.job"), query.job] as const;
      const outcome = ["outcome", t("console.jobs.filter.outcome"), query.outcome] as const;
      return {
        lead: t("console.jobs.lead"),
        done: doneNote(started === null ? null : t("console.jobs.started", { job: nameOf(started) })),
        filter:
          jobs.length === 0
            ? null
            : {
                fields: [choices(job, names, nameOf, any), choices(outcome, askedOutcomes, outcomeText, any)],
              },
        empty: t(filtered ? "console.jobs.filter.nothing" : "console.jobs.none"),
        below: filtered ? [{ text: t("console.jobs.filter.all"), link: "/admin/jobs" }] : [],
      };
    },
  });
  const { action } = gate.routes(operatorsOnly, router);
  action("/jobs/:name/run", async ({ part, request, response, t, asOperator }) => {
    const name = part("name");
    if (!(await app.runJob(name))) throw refusal("no-such-console-page", { status: 404 });
    const started = { what: "job-started", registrationId: null, on: jobName(t, name) } as const;
    await writeAudit({ ...app, ...asOperator }, started);
    const query = jobQueryShape.parse(request.body);
    response.redirect(303, addressWith("/admin/jobs", { ...query, note: name }));
  });
  return router;
}

const outcomeTones = {
  done: "good",
  running: "info",
  idle: "none",
  incomplete: "bad",
  failed: "bad",
  "broken-off": "bad",
} as const satisfies Record<string, Tone>;

function outcomeOf(run: JobRun | null) {
  return run === null ? "idle" : (run.outcome ?? "running");
}

async function jobRows(app: ConsoleApp, { t, query: asked }: ListContext<z.infer<typeof jobQueryShape>>) {
  const jobs = await listJobs(app);
  const query = jobs.some(({ name }) => name === asked.job) ? asked : { ...asked, job: "" };
  const found = findJobs(jobs, { name: orNull(query.job), outcome: orNull(query.outcome) });
  const filtered = query.job !== "" || query.outcome !== "";
  const now = app.clock.now();
  const nextRun = (dueAt: number): LineView =>
    dueAt <= now ? { text: t("console.jobs.due") } : { at: dueAt };
  const pillOf = (run: JobRun | null) => ({
    text: t(`console.jobs.outcomes.${outcomeOf(run)}`),
    pill: outcomeTones[outcomeOf(run)],
  });
  const lastRun = (run: JobRun, succeededAt: number | null): (Line | null)[] => [
    { at: run.startedAt },
    (run.failed ?? 0) > 0 ? `${workText(t, run)} ${t("console.jobs.why")}` : null,
    run.problem === null ? null : { text: run.problem, english: true },
    run.outcome === "done" ? null : { label: t("console.jobs.succeeded"), ...whenOrNever(t, succeededAt) },
  ];
  return {
    jobs,
    query,
    filtered,
    tables: [
      table({ label: t("console.areas.jobs"), rows: found }, ({ column, act }) => [
        column(t("console.jobs.filter.job"), ({ name, runs }) => [
          jobName(t, name),
          runs.length === 0
            ? null
            : {
                text: t("console.jobs.runs", { count: runs.length }),
                link: addressWith("/admin/jobs", { job: name }),
              },
        ]),
        column(t("console.jobs.last"), ({ last, succeededAt, dueAt }) => [
          pillOf(last),
          ...(last === null ? [] : lastRun(last, succeededAt)),
          { label: t("console.jobs.next"), ...nextRun(dueAt) },
        ]),
        act(t("console.jobs.run"), ({ name }) => ({
          action: `/admin/jobs/${name}/run`,
          fields: query,
          buttons: [
            { text: t("console.jobs.run"), label: t("console.jobs.runLabel", { job: jobName(t, name) }) },
          ],
        })),
      ]),
      ...(filtered ? found.filter((job) => job.found.length > 0).map((job) => runsTable(t, job)) : []),
    ],
  };
}

function runsTable(t: Translate, { name, found, runs }: ReturnType<typeof findJobs>[number]) {
  const label = t("console.jobs.runsOf", { job: jobName(t, name) });
  return table(
    {
      label,
      heading: label,
      lead: t("console.jobs.filter.runs", { found: found.length, kept: runs.length }),
      rows: found,
    },
    ({ column, plain }) => [
      plain(t("console.jobs.began"), ({ startedAt: at, process }) => [
        { at },
        { label: t("console.jobs.process"), text: process },
      ]),
      plain(t("console.jobs.outcome"), (run) => [
        t(`console.jobs.outcomes.${outcomeOf(run)}`),
        run.problem === null ? null : { text: run.problem, english: true },
      ]),
      column(t("console.jobs.done"), (run) => workText(t, run)),
      column(t("console.jobs.took"), ({ startedAt, endedAt }) =>
        endedAt === null ? null : durationText(t, endedAt - startedAt),
      ),
    ],
  );
}

/** A job of another release has no translated name. */
function jobName(t: Translate, name: string): string {
  return t.dynamic(`console.jobs.names.${name}`) ?? name;
}

function workText(t: Translate, { done, failed, waiting }: JobRun): string {
  const counts = { done: done ?? 0, waiting: waiting ?? 0 };
  if ((failed ?? 0) > 0) return t("console.jobs.doneFailedAndWaiting", { ...counts, failed: failed ?? 0 });
  if (waiting != null) return t("console.jobs.doneAndWaiting", counts);
  return done === null ? "–" : String(done);
}

/** Pages that show work of a kind one by one. */
const pageOf: Partial<Record<WaitingWork["kind"], string>> = {
  receipts: "/admin/receipts",
  "slow-receipts": "/admin/receipts",
  deliveries: "/admin/deliveries",
  erasures: "/admin/erasures",
};

/** Background work that waits, runs or fails. Idle work is only counted. */
export function tasksPages(app: ConsoleApp, gate: Gate): Router {
  const router = consoleList(gate, {
    path: "/tasks",
    area: "tasks",
    read: () => ({}),
    rows: (context) => taskRows(app, context),
    around: ({ t, outcome }, { idle, all }) => {
      const retried = outcome("retried");
      const number = numberText(t, idle);
      return {
        lead: t("console.tasks.lead"),
        done: doneNote(retried === null ? null : t("console.tasks.retried", { count: retried })),
        notes: [idle === 0 || idle === all ? null : { tone: "", text: t("console.tasks.idle", { number }) }],
        empty: t("console.tasks.allIdle"),
      };
    },
  });
  const { action } = gate.routes(operatorsOnly, router);
  action("/tasks/:kind/run", async ({ part, response, t, asOperator }) => {
    const kind = part("kind");
    const { store } = app.tasks;
    const known = store.kinds().find(({ name }) => name === kind);
    if (known === undefined) throw refusal("no-such-console-page", { status: 404 });
    const retried = await store.retryFailed(kind, app.clock.now());
    app.wake(known);
    const started = { what: "job-started", registrationId: null, on: kindName(t, kind) } as const;
    await writeAudit({ ...app, ...asOperator }, started);
    response.redirect(303, addressWith("/admin/tasks", { retried: String(retried) }));
  });
  return router;
}

async function taskRows(app: ConsoleApp, { t }: ListContext<Asking>) {
  const now = app.clock.now();
  const { store } = app.tasks;
  const [counted, others] = await Promise.all([
    Promise.all(store.kinds().map(async ({ name: kind }) => ({ kind, ...(await store.counts(kind, now)) }))),
    app.waitingWork.list(now),
  ]);
  const kinds = counted.toSorted((one, other) => Math.sign(other.failing) - Math.sign(one.failing));
  const busyKinds = kinds.filter(({ waiting, running, failing }) => waiting + running + failing > 0);
  const busyOthers = others.filter(({ waiting, failing }) => waiting + failing > 0);
  const all = kinds.length + others.length;
  const some = (count: number) => (count === 0 ? null : numberText(t, count));
  const nextTry = (at: number | null) => {
    const label = t("console.tasks.next");
    if (at === null) return { label, text: t("console.tasks.notByItself") };
    return at <= now ? { label, text: t("console.jobs.due") } : { label, at };
  };
  return {
    all,
    idle: all - busyKinds.length - busyOthers.length,
    tables: [
      table({ label: t("console.areas.tasks"), rows: busyKinds }, ({ column, plain, end, act }) => [
        plain(t("common.what"), ({ kind, nextTry: next }) => [
          kindName(t, kind),
          next === null ? null : { text: next.problem.text, english: true },
          next === null ? null : { text: next.problem.code, code: true },
          next === null ? null : nextTry(next.at),
        ]),
        end(t("console.tasks.states.waiting"), ({ waiting }) => some(waiting)),
        end(t("console.tasks.states.running"), ({ running }) => some(running)),
        end(t("console.tasks.failing"), ({ failing }) =>
          failing === 0 ? null : { text: numberText(t, failing), pill: "bad" },
        ),
        column(t("console.tasks.oldest"), ({ oldestDueAt }) =>
          oldestDueAt === null ? null : { at: oldestDueAt },
        ),
        act(t("console.tasks.run"), ({ kind, failing }) =>
          failing === 0
            ? null
            : {
                action: `/admin/tasks/${kind}/run`,
                buttons: [
                  {
                    text: t("console.tasks.run"),
                    label: t("console.tasks.runLabel", { kind: kindName(t, kind) }),
                  },
                ],
              },
        ),
      ]),
      table(
        {
          label: t("console.tasks.others.heading"),
          heading: t("console.tasks.others.heading"),
          lead: t("console.tasks.others.lead"),
          rows: busyOthers,
        },
        ({ column, plain, end }) => [
          plain(t("common.what"), ({ kind }) => {
            const link = pageOf[kind];
            return { text: t(`console.tasks.others.names.${kind}`), ...(link === undefined ? {} : { link }) };
          }),
          end(t("console.tasks.states.waiting"), ({ waiting }) => some(waiting)),
          end(t("console.tasks.others.failing"), ({ failing }) => some(failing)),
          column(t("console.tasks.oldest"), ({ oldestAt }) => (oldestAt === null ? null : { at: oldestAt })),
        ],
      ),
    ],
  };
}

/** A kind of another release has no translated name. */
function kindName(t: Translate, kind: string): string {
  return t.dynamic(`console.tasks.names.${kind}`) ?? kind;
}
