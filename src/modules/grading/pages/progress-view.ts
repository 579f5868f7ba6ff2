import type { RegradeProgress } from "../regrade-progress.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** How far grades are after a change; null: there was none. */
export type ProgressView = {
  busy: boolean;
  text: string;
  /** Null: no bar, or unknown. */
  progress: { value: number; max: number } | null;
};

/** @param waiting The course's scores to be sent. */
export function progressView(
  t: Translate,
  { state, graded, total }: RegradeProgress,
  waiting: number,
): ProgressView | null {
  const quiet = { busy: true, progress: null };
  switch (state) {
    case "none":
      return null;
    case "waiting":
      return { ...quiet, text: t("grading.progress.soon") };
    case "failed":
      return { ...quiet, text: t("grading.progress.failed") };
    case "running":
      return {
        busy: true,
        text: t("grading.progress.computing", { done: numberText(t, graded), total: numberText(t, total) }),
        progress: total === 0 ? null : { value: graded, max: total },
      };
    case "done":
      return waiting > 0
        ? {
            ...quiet,
            text: t("grading.progress.sending", { count: waiting, number: numberText(t, waiting) }),
          }
        : { busy: false, text: t("grading.progress.done"), progress: null };
  }
}
