import { accentColours, grounds, ownAccent, wordsOn } from "../../courses/rules/accent-colours.ts";
import {
  type InstitutionLook,
  logoAddress,
  type LookField,
  type LookProblem,
  type LookProblems,
  maxNameCharacters,
  type TypedLook,
} from "../../courses/rules/institution-look.ts";
import { maxLogoBytes, maxLogoPixels } from "../../courses/rules/logo-file.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleFrame } from "./partials.ts";

export type LookWords = Pick<TypedLook, "name" | "accent" | "accentDark">;

type Text = { name: LookField; label: string; hint: string; value: string; problem: string | null };

/** `now`: address of the one that is stored. */
type File = { name: LookField; label: string; hint: string; problem: string | null; now: string | null };

/** What people will see, drawn. */
type Sample = { label: string; page: string; accent: string; on: string };

type FormView = {
  texts: Text[];
  files: File[];
  samples: Sample[];
  wrong: { id: LookField; label: string }[];
};

export type LookPage = ConsoleFrame &
  FormView & {
    id: string;
    revision: number;
    saved: boolean;
    /** Somebody else has changed the look meanwhile. */
    late: boolean;
  };

export const lookPage = defineView<LookPage>("admin/look");

const fields = ["name", "accent", "accentDark", "logo", "logoDark"] as const;

/** @param shown.look As stored: files and samples are its own. */
export function lookFormView(
  t: Translate,
  { look, typed, problems }: { look: InstitutionLook; typed: LookWords; problems: LookProblems },
): FormView {
  const shared = <Name extends LookField>(name: Name) => ({
    name,
    label: t(`institution.look.fields.${name}.label`),
    problem: problems[name] === undefined ? null : problemText(t, name, problems[name]),
  });
  const sizes = { kilobytes: maxLogoBytes / 1024, pixels: maxLogoPixels };
  const colours = look.accent === null ? ownAccent : accentColours(look.accent, look.accentDark);
  const sample = (scheme: "light" | "dark") => ({
    label: t("label.value", {
      label: t(`institution.look.samples.${scheme}`),
      value: colours[scheme],
    }),
    page: grounds[scheme].page,
    accent: colours[scheme],
    on: wordsOn(colours[scheme]),
  });
  return {
    texts: (["name", "accent", "accentDark"] as const).map((name) => ({
      ...shared(name),
      hint: t(`institution.look.fields.${name}.hint`),
      value: typed[name],
    })),
    files: (["logo", "logoDark"] as const).map((name) => ({
      ...shared(name),
      hint: t(`institution.look.fields.${name}.hint`, sizes),
      now: look[name] === null ? null : logoAddress(look[name]),
    })),
    samples: [sample("light"), sample("dark")],
    wrong: fields.flatMap((id) =>
      problems[id] === undefined ? [] : [{ id, label: t(`institution.look.fields.${id}.label`) }],
    ),
  };
}

function problemText(t: Translate, field: LookField, problem: LookProblem): string {
  if (problem.why === "contrast") {
    const { nearest } = problem;
    return field === "accent"
      ? t("institution.look.problems.contrast", { nearest })
      : t("institution.look.problems.contrastDark", { nearest });
  }
  const values = { kilobytes: maxLogoBytes / 1024, pixels: maxLogoPixels, characters: maxNameCharacters };
  if (problem.why === "too-big") return t("institution.look.problems.too-big", values);
  if (problem.why === "too-many-pixels") return t("institution.look.problems.too-many-pixels", values);
  if (problem.why === "name-too-long") return t("institution.look.problems.name-too-long", values);
  return t(`institution.look.problems.${problem.why}`);
}
