import { ownAccent } from "../../courses/rules/accent-colour.ts";
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

export type LookWords = Pick<TypedLook, "name" | "accent">;

type Text = { name: LookField; label: string; hint: string; value: string; problem: string | null };

/** `now`: address of the one that is stored. */
type File = { name: LookField; label: string; hint: string; problem: string | null; now: string | null };

/** The main button, drawn on pages of both kinds. */
type Sample = { label: string; page: string; accent: string };

/** --page of views/assets/style.css. */
const pageColours = { light: "#ffffff", dark: "#12171e" } as const;

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

const fields = ["name", "accent", "logo", "logoDark"] as const;

/** @param shown.look As stored: files and samples are its own. */
export function lookFormView(
  t: Translate,
  { look, typed, problems }: { look: InstitutionLook; typed: LookWords; problems: LookProblems },
): FormView {
  const shared = <Name extends LookField>(name: Name) => ({
    name,
    label: t(`institution.look.fields.${name}.label`),
    problem: problems[name] === undefined ? null : problemText(t, problems[name]),
  });
  const sizes = { kilobytes: maxLogoBytes / 1024, pixels: maxLogoPixels };
  const accent = look.accent ?? ownAccent;
  const sample = (scheme: "light" | "dark") => ({
    label: t("label.value", { label: t(`institution.look.samples.${scheme}`), value: accent }),
    page: pageColours[scheme],
    accent,
  });
  return {
    texts: (["name", "accent"] as const).map((name) => ({
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

function problemText(t: Translate, problem: LookProblem): string {
  const values = { kilobytes: maxLogoBytes / 1024, pixels: maxLogoPixels, characters: maxNameCharacters };
  if (problem === "too-big") return t("institution.look.problems.too-big", values);
  if (problem === "too-many-pixels") return t("institution.look.problems.too-many-pixels", values);
  if (problem === "name-too-long") return t("institution.look.problems.name-too-long", values);
  return t(`institution.look.problems.${problem}`);
}
