import { Router } from "express";
import { z } from "zod";
import { courseName } from "../../courses/rules/course-name.ts";
import { personName } from "../../../domain/person-name.ts";
import type { Tone } from "../../../web/page-parts.ts";
import { defineView } from "../../../web/view.ts";
import { listMails } from "../../mail/mails.ts";
import { type Mail, type MailState, mailStates } from "../../mail/rules/records.ts";
import { addressWith } from "./address-with.ts";
import type { ConsoleApp } from "./console-app.ts";
import { type Gate, narrowed } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";
import { placeIn } from "./place-in.ts";

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

const shape = z.object({ state: z.enum(mailStates).nullable().catch(null) });

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
      const { state } = shape.parse(request.query);
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
        title: t("mail.log.heading"),
        area: "mails",
        model: {
          on: deps.config.mail !== null,
          states: [null, ...mailStates].map((one) => ({
            label: t(one === null ? "mail.log.everyState" : `mail.log.states.${one}`),
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
