import type { App } from "../../app.ts";
import type { AuditAction } from "../audit/rules/audit.ts";
import type { Erasure, ErasureSubject } from "./rules/erasure.ts";
import { writeAudit } from "../audit/write-audit.ts";

export type EnqueueErasureDeps = Pick<App, "erasures" | "audit" | "clock" | "ids" | "wake"> & {
  who: Erasure["who"];
  /** Who of an LMS's administrators, or an operator's e-mail address: for the trail. */
  personId?: string;
  operator?: string;
};

const deeds: Record<ErasureSubject["kind"], AuditAction> = {
  person: "person-erased",
  course: "course-erased",
  registration: "registration-uninstalled",
};

/**
 * Stores an erasure for a worker. The audit log does not name erased people.
 * @param label What operators recognise it by; null for people.
 */
export async function enqueueErasure(
  deps: EnqueueErasureDeps,
  subject: ErasureSubject,
  label: string | null,
): Promise<Erasure> {
  const { kind, registrationId } = subject;
  const erasure: Erasure = {
    id: deps.ids.id("ers"),
    kind,
    registrationId,
    label,
    who: deps.who,
    subject,
    state: "erasing",
    rounds: 0,
    step: 0,
    cursor: "",
    found: 0,
    erased: {},
    askedAt: deps.clock.now(),
    doneAt: null,
  };
  await deps.erasures.insert(erasure);
  const { who } = deps;
  // Automatic erasures are in the list of erasures; the audit log is about what people did.
  if (who !== "retention")
    await writeAudit({ ...deps, who }, { what: deeds[kind], registrationId, on: label ?? erasure.id });
  deps.wake("erasures");
  return erasure;
}
