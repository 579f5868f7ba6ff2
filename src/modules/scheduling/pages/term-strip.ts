import type { PageWords } from "../../../web/course-words.ts";
import type { Translate } from "../../../web/translate.ts";
import { assumedLengthMs } from "../../../domain/classroom-event.ts";

/** One session of a strip, for a course or for one learner. */
export type TermSession = {
  title: string | null;
  startsAt: number | null;
  endsAt: number | null;
  cancelled: boolean;
  /** The share attended, from 0 to 1. Null while nothing is recorded. */
  share: number | null;
  /** What was recorded, in words. Null: the text only says whether the session is over. */
  status: string | null;
  /** The colour of the filled part. Green by default. */
  tone?: "good" | "wait" | "bad" | "free";
  /** A letter in the circle, which is then completely filled. */
  sign?: string;
  /** The page it opens. Null for none. */
  opens: { page: string; fields: Readonly<Record<string, string>> } | null;
};

export type TermStrip = { t: Translate; strip: NonNullable<ReturnType<typeof termStrip>> };

/** How many circles on either side of today. The list below has all sessions. */
const maxOfSide = 30;

/**
 * Shows sessions as a row of circles, earliest first, filled by attendance, with the months and today between them.
 * Sessions without a time are left out. The partial `term-strip` draws it. @returns null if there is nothing to show.
 */
export function termStrip(
  { t, times, now }: Pick<PageWords, "t" | "times" | "now">,
  sessions: readonly TermSession[],
) {
  const dated = sessions
    .flatMap((one) => (one.startsAt === null ? [] : [{ ...one, startsAt: one.startsAt }]))
    .toSorted((one, other) => one.startsAt - other.startsAt);
  const isOver = ({ startsAt, endsAt }: (typeof dated)[number]) =>
    (endsAt ?? startsAt + assumedLengthMs) <= now;
  const past = dated.filter(isOver).slice(-maxOfSide);
  const next = dated.filter((one) => !isOver(one)).slice(0, maxOfSide);
  if (past.length + next.length === 0) return null;
  let month = "";
  return [...past, ...next].map((one) => {
    const { title, startsAt, endsAt, status, share, tone = "good", sign = null, opens } = one;
    const state = stateOf(one, now, isOver(one));
    const before = month;
    month = times.shortMonth(startsAt);
    return {
      /** The month to write before this circle, if another month begins. Otherwise null. */
      month: month === before ? null : month,
      /** The first session that isn't over: “Today” is written before it. */
      today: one === next[0],
      day: times.dayOfMonth(startsAt),
      state,
      tone,
      sign,
      /** Filled percent of the circle. */
      filled: Math.round((share ?? 0) * 100),
      opens,
      text: t("grid.learner.sign", {
        session: title ?? t("sessions.untitled"),
        when: times.span(startsAt, endsAt),
        status: status ?? stateText(t, state),
      }),
    };
  });
}

type DotState = "cancelled" | "live" | "next" | "past" | "open";

/** "open": over, but nothing is recorded. */
function stateOf({ cancelled, share, startsAt }: TermSession, now: number, over: boolean): DotState {
  if (cancelled) return "cancelled";
  if (over) return share === null ? "open" : "past";
  return startsAt !== null && startsAt <= now ? "live" : "next";
}

function stateText(t: Translate, state: DotState): string {
  switch (state) {
    case "cancelled":
      return t("register.states.cancelled");
    case "live":
      return t("home.live");
    case "open":
      return t("register.notMarked");
    default:
      return t(`sessions.${state}`);
  }
}
