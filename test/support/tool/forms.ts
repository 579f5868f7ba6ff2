import fc from "fast-check";
import { joinAnswers } from "../../../src/settings/forms.ts";
import { defaultJoinSettings, type JoinSettings } from "../../../src/settings/options.ts";
import type { PolicyField } from "../../../src/settings/policy-options.ts";
import { type Answer, get, logIn } from "./console-tool.ts";

/** What may change the address of a Space. */
export function anyJoinSettings(...languages: [string, ...string[]]): fc.Arbitrary<JoinSettings> {
  const drawn = fc.record({
    mode: fc.constantFrom("tab", "embedded"),
    call: fc.constantFrom("host", "anyone", "nobody"),
    skipDeviceSetup: fc.boolean(),
    galleryView: fc.boolean(),
    standalone: fc.boolean(),
    language: fc.constantFrom(...languages),
    startLocalRecording: fc.boolean(),
  });
  return drawn.map((changes) => ({ ...defaultJoinSettings, ...changes }));
}

/** The form of a new course's settings, as a browser posts it. */
export const usualSettings = {
  ...joinAnswers(defaultJoinSettings),
  opens: "always",
  minutesBefore: "15",
  minutesAfter: "15",
  who: "all",
  access: "unknown",
};

/** The form of a new course's grading, as a browser posts it. */
export const usualGrading: Readonly<Partial<Record<PolicyField, string>>> = {
  kind: "one-column",
  points: "100",
  denominator: "so-far",
  fixedSessions: "",
  PRESENT: "100",
  LATE: "80",
  ABSENT: "0",
  EXCUSED: "",
  leftOut: "EXCUSED",
  comment: "no",
  dropLowest: "0",
  minimumSessions: "1",
  formula: "mean",
  neededPercent: "",
  offPercent: "",
  worth: "status",
  completion: "score",
  completedSessions: "",
  completedPercent: "",
};

export type GradingChange = Partial<Record<PolicyField, string>>;

/** Texts, files, and "yes" for a box that is ticked. */
export type LookFields = Partial<
  Record<"name" | "accent" | "remove-logo" | "remove-logoDark" | "revision" | "form", string> &
    Record<"logo" | "logoDark", Uint8Array<ArrayBuffer>>
>;

export type LookForm = {
  open: () => Promise<Answer>;
  /** Opens the page and submits it with these fields; hidden ones keep their values unless given. */
  send: (fields: LookFields) => Promise<Omit<Answer, "location">>;
  /** Submits fields that must be accepted. */
  set: (fields: LookFields) => Promise<void>;
};

/** The operator's page of how courses of an LMS look. The tool's ADMIN_PASSWORD is `rightPassword`. */
export async function openLookForm(toolUrl: string, registrationId: string): Promise<LookForm> {
  const { cookie } = await logIn(toolUrl);
  const address = `${toolUrl}/admin/registrations/${registrationId}/look`;
  const open = () => get(address, cookie);
  const send = async (fields: LookFields) => {
    const page = await open();
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? "";
    const body = new FormData();
    const all = { form: hidden("form"), revision: hidden("revision"), ...fields };
    for (const [name, value] of Object.entries(all)) {
      if (typeof value === "string") body.set(name, value);
      else body.set(name, new Blob([value]), "logo");
    }
    const { origin } = new URL(toolUrl);
    const headers = { accept: "text/html", origin, "sec-fetch-site": "same-origin", cookie };
    const answer = await fetch(address, { method: "POST", redirect: "manual", headers, body });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return {
    open,
    send,
    set: async (fields) => {
      const answer = await send(fields);
      if (answer.status !== 303) throw new Error(`the form answered ${answer.status}: ${answer.text}`);
    },
  };
}
