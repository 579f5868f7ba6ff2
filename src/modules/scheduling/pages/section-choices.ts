import type { Translate } from "../../../web/translate.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import type { SessionWords } from "./sessions-view.ts";

/** A section that a session can be for. */
export type SectionChoice = { id: string; label: string; ticked: boolean };

/** Fields for whom a session is. `problem`: what is wrong with the chosen sections. */
export type SessionWhom = {
  t: Translate;
  form: { who: "all" | "some" };
  sections: readonly SectionChoice[];
  problem: string | null;
};

/** The sections of a course, those of some ids ticked. */
export function sectionChoices(
  { t, sectionKind, sections }: Pick<SessionWords, "t" | "sectionKind" | "sections">,
  chosen: readonly string[],
): SectionChoice[] {
  return sections.map((section) => ({
    id: section.lmsSectionId,
    label: sectionLabel(t, sectionKind, section),
    ticked: chosen.includes(section.lmsSectionId),
  }));
}
