import { Router } from "express";
import { postedFiles } from "../../../web/posted-files.ts";
import { shortDigest } from "../../../kernel/ids.ts";
import { changeLook, showLook } from "../../courses/change-look.ts";
import {
  type InstitutionLook,
  type Logo,
  type LookProblems,
  readLook,
  type TypedLook,
} from "../../courses/rules/institution-look.ts";
import type { ConsoleApp } from "./console-app.ts";
import { formField } from "./form-field.ts";
import { type Gate, ofRegistration, type Visit } from "./gate.ts";
import { lookFormView, lookPage, type LookWords } from "./look-view.ts";

/** Of a whole form. A file that is somewhat too large still gets its sentence on the form. */
const maxFormBytes = 1024 * 1024;

/** How the courses of an LMS look: name, colour and logo of its institution. */
export function lookPages(deps: ConsoleApp, gate: Gate): Router {
  const router = Router();
  router.get(
    "/registrations/:id/look",
    gate.page((visit) => showForm(deps, visit, {}), ofRegistration),
  );
  router.post(
    "/registrations/:id/look",
    gate.loggedIn,
    postedFiles(maxFormBytes),
    gate.action(async (visit) => {
      const registrationId = visit.part("id");
      const { look } = await showLook(deps, registrationId);
      const typed = lookPosted(visit.request.body);
      const revision = /^\d{1,9}$/.test(visit.field("revision")) ? Number(visit.field("revision")) : -1;
      const { read, problems } = readLook(typed, look);
      if (read === null) {
        visit.response.status(422);
        await showForm(deps, visit, { typed, problems, revision });
        return;
      }
      const { logo, logoDark, ...words } = read;
      const wanted = { registrationId, revision, ...words, logo: stored(logo), logoDark: stored(logoDark) };
      if (await changeLook({ ...deps, ...visit.by }, wanted)) {
        visit.goTo(`/admin/registrations/${registrationId}/look`, "saved");
        return;
      }
      visit.response.status(409);
      await showForm(deps, visit, { typed, late: true });
    }, ofRegistration),
  );
  return router;
}

function lookPosted(body: unknown): TypedLook {
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

type Shown = {
  /** As typed; as stored when left out. */
  typed?: LookWords;
  problems?: LookProblems;
  /** Somebody else has changed the look meanwhile. */
  late?: boolean;
  /** Of what is typed; that of what is stored when left out. */
  revision?: number;
};

async function showForm(deps: ConsoleApp, visit: Visit, shown: Shown): Promise<void> {
  const { registration, look } = await showLook(deps, visit.part("id"));
  const { t } = visit;
  const { typed = typedLook(look), problems = {}, late = false } = shown;
  visit.show({
    view: lookPage,
    title: t("institution.look.heading", { name: registration.name }),
    area: "registrations",
    model: {
      ...lookFormView(t, { look, typed, problems }),
      id: registration.id,
      revision: shown.revision ?? look.revision,
      saved: visit.request.query["note"] === "saved",
      late,
    },
  });
}

function typedLook({ name, accent }: InstitutionLook): LookWords {
  return { name, accent: accent ?? "" };
}
