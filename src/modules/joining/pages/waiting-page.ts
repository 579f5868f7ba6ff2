import type { AccountId } from "../../../domain/account.ts";
import { allowFormsTo } from "../../../web/security-headers.ts";
import type { Response } from "express";
import type { Course } from "../../../domain/course.ts";
import type { QueuePosition, QueueView } from "../rules/queue-position.ts";
import type { CourseStore } from "../../courses/store/course-store.ts";
import type { Head } from "../../../web/partials.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import { defineView, renderView } from "../../../web/view.ts";
import { webAddressOrNull } from "../../../web/page-address.ts";
import { type QueueText, queueText } from "./queue-text.ts";
import { refreshSeconds } from "../rules/limits.ts";

export type WaitingPageDeps = {
  courses: Pick<CourseStore, "find">;
  entryTargetsOf: (account: AccountId) => readonly string[];
  translatorOf: TranslatorOf;
};

/** How a waiting page comes back. */
export type Return = {
  /** What its forms carry; null where the cookie does. */
  ticket: string | null;
  /** Without scripts: reloads its address, or waits for its button. */
  looksAgain: "by-address" | "by-hand";
};

export type WaitingPage = Head & {
  courseName: string;
  words: Pick<WaitingWords, "place" | "time" | "trouble" | "before">;
  address: string;
  /** The ticket's digest, as addresses carry it. */
  place: string;
} & Return;

/** For a person without a position. */
export type WaitingOverPage = Head & {
  courseName: string | null;
  courseUrl: string | null;
  over: "entered" | "gone";
};

/** For a browser with the address but not the ticket. */
export type WaitingElsewherePage = Head & { courseUrl: string | null };

type WaitingWords = Extract<QueueText, { title: string }>;

const waitingPage = defineView<WaitingPage>("waiting/waiting");
const overPage = defineView<WaitingOverPage>("waiting/over");
const elsewherePage = defineView<WaitingElsewherePage>("waiting/elsewhere");

/** For a position just lost: the page says so at its next look. */
const nothingSaid = { place: "", time: "", trouble: false, before: 0 };

export async function courseNameOf(
  deps: WaitingPageDeps,
  t: Translate,
  position: QueuePosition,
): Promise<string> {
  return nameOf(t, await deps.courses.find(position.courseId));
}

function nameOf(t: Translate, course: Course | null): string {
  return course?.title || course?.label || t("product.name");
}

/** Its script or a reload keeps it up to date. */
export async function showWaiting(
  deps: WaitingPageDeps,
  position: QueuePosition,
  view: QueueView,
  { ticket, looksAgain }: Return,
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(position.locale);
  // Its forms lead into the Space, and the page may be shown without a session that says so.
  allowFormsTo(response, deps.entryTargetsOf(position.environment));
  const courseName = await courseNameOf(deps, t, position);
  const words = queueText(t, courseName, view);
  const address = `/waiting?place=${position.ticket}`;
  renderView(response, waitingPage, {
    t,
    title: "title" in words ? words.title : courseName,
    courseName,
    words: "title" in words ? words : nothingSaid,
    address,
    place: position.ticket,
    ticket,
    ...(looksAgain === "by-address" ? { refreshes: `${refreshSeconds};url=${address}` } : {}),
    looksAgain,
  });
}

/** The position was used, taken by another tab, or forgotten. */
export async function showOver(
  deps: WaitingPageDeps,
  why: "ready" | "entered" | "gone",
  position: QueuePosition | null,
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(position?.locale ?? null);
  const course = position === null ? null : await deps.courses.find(position.courseId);
  const over = why === "entered" ? "entered" : "gone";
  renderView(response.status(410), overPage, {
    t,
    title: t(`waiting.over.${over}.heading`),
    courseName: course === null ? null : nameOf(t, course),
    courseUrl: webAddressOrNull(course?.courseUrl ?? null),
    over,
  });
}

/** Names no person and no course. The owner's tab may have the ticket in its history; its script then goes on with it. */
export async function showElsewhere(
  deps: WaitingPageDeps,
  locale: string | null,
  position: QueuePosition,
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(locale);
  const course = await deps.courses.find(position.courseId);
  renderView(response.status(403), elsewherePage, {
    t,
    title: t("waiting.elsewhere.heading"),
    courseUrl: webAddressOrNull(course?.courseUrl ?? null),
  });
}
