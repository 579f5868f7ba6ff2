import type { Router } from "express";
import { shortDigest } from "../../../kernel/ids.ts";
import {
  changeInstitutionDefaults,
  changeBranding,
  showInstitutionDefaults,
  showBranding,
} from "../../courses/institution.ts";
import {
  type Branding,
  type Logo,
  logoAddress,
  type BrandingField,
  type BrandingProblem,
  type BrandingProblems,
  maxLogoBytes,
  maxLogoPixels,
  maxNameCharacters,
  ownAccent,
  readBranding,
  type TypedBranding,
} from "../../courses/rules/branding.ts";
import { postedFiles } from "../../../web/posted-files.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { ConsoleApp } from "./console-session.ts";
import {
  type DefaultsForm,
  defaultsOfForm,
  defaultsPosted,
  type DefaultsProblems,
  formOfDefaults,
} from "./defaults-form.ts";
import { changedNames, defaultsFormView, defaultsPage, nothingWrong } from "./defaults-view.ts";
import { formField } from "./requests.ts";
import { type Gate, ofRegistration, type Visit } from "./gate.ts";
import type { ConsoleFrame } from "./partials.ts";

export function defaultsPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page, action } = gate.routes(ofRegistration);
  page("/registrations/:id/defaults", (visit) => showDefaults(app, visit, {}));
  action("/registrations/:id/defaults", async (visit) => {
    const registrationId = visit.part("id");
    const form = defaultsPosted(visit.request.body);
    const revision = /^\d{1,9}$/.test(visit.field("revision")) ? Number(visit.field("revision")) : -1;
    const read = defaultsOfForm(form, { registrationId, revision });
    if (read.defaults === null) {
      visit.response.status(422);
      await showDefaults(app, visit, { form, problems: read.problems, revision });
    } else if (await changeInstitutionDefaults({ ...app, ...visit.by }, read.defaults)) {
      visit.goTo(`/admin/registrations/${registrationId}/defaults`, "saved");
    } else {
      visit.response.status(409);
      await showDefaults(app, visit, { form, late: true });
    }
  });
  return router;
}

type DefaultsAnswer = {
  /** As typed. Default: as stored. */
  form?: DefaultsForm;
  problems?: DefaultsProblems;
  /** Another person has changed the values since. */
  late?: boolean;
  /** The revision that was edited. Default: the stored one. */
  revision?: number;
};

async function showDefaults(app: ConsoleApp, visit: Visit, answer: DefaultsAnswer): Promise<void> {
  const { registration, defaults, courses } = await showInstitutionDefaults(app, visit.part("id"));
  const { t } = visit;
  const { form = formOfDefaults(defaults), problems = nothingWrong, late = false } = answer;
  visit.show({
    view: defaultsPage,
    title: t("institution.heading", { name: registration.name }),
    area: "registrations",
    model: {
      ...defaultsFormView(t, form, problems),
      id: registration.id,
      courses,
      revision: answer.revision ?? defaults.revision,
      saved: visit.note(["saved"]) !== null,
      late,
      changed: late ? changedNames(t, defaults, form) : [],
    },
  });
}

/** The size of a whole form, so a logo that is a little too large still gets its message on the form. */
const maxFormBytes = 1024 * 1024;

/** How the courses of an LMS look: its institution's name, colour and logo. */
export function brandingPages(app: ConsoleApp, gate: Gate): Router {
  const { router, page } = gate.routes(ofRegistration);
  page("/registrations/:id/look", (visit) => showForm(app, visit, {}));
  router.post(
    "/registrations/:id/look",
    gate.loggedIn,
    postedFiles(maxFormBytes),
    gate.action(async (visit) => {
      const registrationId = visit.part("id");
      const { branding } = await showBranding(app, registrationId);
      const typed = postedBranding(visit.request.body);
      const revision = /^\d{1,9}$/.test(visit.field("revision")) ? Number(visit.field("revision")) : -1;
      const { read, problems } = readBranding(typed, branding);
      if (read === null) {
        visit.response.status(422);
        await showForm(app, visit, { typed, problems, revision });
        return;
      }
      const { logo, logoDark, ...words } = read;
      const desired = { registrationId, revision, ...words, logo: stored(logo), logoDark: stored(logoDark) };
      if (await changeBranding({ ...app, ...visit.by }, desired)) {
        visit.goTo(`/admin/registrations/${registrationId}/look`, "saved");
        return;
      }
      visit.response.status(409);
      await showForm(app, visit, { typed, late: true });
    }, ofRegistration),
  );
  return router;
}

function postedBranding(body: unknown): TypedBranding {
  const fields = new Map<string, unknown>(
    Object.entries(typeof body === "object" && body !== null ? body : {}),
  );
  const file = (name: string) => {
    const value = fields.get(name);
    return value instanceof Uint8Array ? value : null;
  };
  return {
    name: formField(body, "name"),
    accent: formField(body, "accent"),
    logo: file("logo"),
    logoDark: file("logoDark"),
    removes: { logo: fields.has("remove-logo"), logoDark: fields.has("remove-logoDark") },
  };
}

function stored(read: "keep" | { kind: Logo["kind"]; bytes: Uint8Array } | null): "keep" | Logo | null {
  if (read === "keep" || read === null) return read;
  const data = Buffer.from(read.bytes).toString("base64");
  return { kind: read.kind, digest: shortDigest(data), data };
}

type BrandingForm = {
  /** As typed. Default: as stored. */
  typed?: BrandingTexts;
  problems?: BrandingProblems;
  /** Another person has changed the branding since. */
  late?: boolean;
  /** The revision that was edited. Default: the stored one. */
  revision?: number;
};

async function showForm(app: ConsoleApp, visit: Visit, form: BrandingForm): Promise<void> {
  const { registration, branding } = await showBranding(app, visit.part("id"));
  const { t } = visit;
  const { name, accent } = branding;
  const { typed = { name, accent: accent ?? "" }, problems = {}, late = false } = form;
  visit.show({
    view: brandingPage,
    title: t("institution.look.heading", { name: registration.name }),
    area: "registrations",
    model: {
      ...brandingFormView(t, { branding, typed, problems }),
      id: registration.id,
      revision: form.revision ?? branding.revision,
      saved: visit.note(["saved"]) !== null,
      late,
    },
  });
}

type BrandingTexts = Pick<TypedBranding, "name" | "accent">;

/** --page of views/assets/style.css. */
const pageColours = { light: "#ffffff", dark: "#12171e" } as const;

export type BrandingPage = ConsoleFrame &
  ReturnType<typeof brandingFormView> & {
    id: string;
    revision: number;
    saved: boolean;
    /** Another person has changed the branding since. */
    late: boolean;
  };

const brandingPage = defineView<BrandingPage>("admin/look");

const fields = ["name", "accent", "logo", "logoDark"] as const;

/** Files and samples are the stored ones. */
function brandingFormView(
  t: Translate,
  { branding, typed, problems }: { branding: Branding; typed: BrandingTexts; problems: BrandingProblems },
) {
  const shared = <Name extends BrandingField>(name: Name) => ({
    name,
    label: t(`institution.look.fields.${name}.label`),
    problem: problems[name] === undefined ? null : problemText(t, problems[name]),
  });
  const sizes = { kilobytes: maxLogoBytes / 1024, pixels: maxLogoPixels };
  const accent = branding.accent ?? ownAccent;
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
      /** The address of the stored file. */
      now: branding[name] === null ? null : logoAddress(branding[name]),
    })),
    /** The main button, drawn on light and dark pages. */
    samples: [sample("light"), sample("dark")],
    wrong: fields.flatMap((id) =>
      problems[id] === undefined ? [] : [{ id, label: t(`institution.look.fields.${id}.label`) }],
    ),
  };
}

function problemText(t: Translate, problem: BrandingProblem): string {
  const values = { kilobytes: maxLogoBytes / 1024, pixels: maxLogoPixels, characters: maxNameCharacters };
  if (problem === "too-big") return t("institution.look.problems.too-big", values);
  if (problem === "too-many-pixels") return t("institution.look.problems.too-many-pixels", values);
  if (problem === "name-too-long") return t("institution.look.problems.name-too-long", values);
  return t(`institution.look.problems.${problem}`);
}
