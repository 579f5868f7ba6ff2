import type { Translate } from "../../../web/translate.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import type { SessionWords } from "./sessions-view.ts";

export type SectionChoice = { id: string; label: string; ticked: boolean };

export type SessionWhom = {
  t: Translate;
  form: { who: "all" | "some" };
  sections: readonly SectionChoice[];
  problem: string | null;
};

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
