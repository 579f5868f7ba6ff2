import type { App } from "../../app.ts";
import type { Registration } from "../../domain/registration.ts";
import type { DescriptionGap, ToolDescriptions } from "../../lms/tool-description.ts";
import type { RegistrationStore } from "./store/registration-store.ts";

/** To compare an LMS's description of the tool with today's. */
export type DescribeApp = Pick<App, "clock"> & {
  registrations: Pick<RegistrationStore, "setDescription">;
  toolDescriptions: ToolDescriptions;
};

/**
 * Asks an LMS which description of the tool it has, or sends it today's. A change waits there for an administrator.
 * @returns what differs now; null for nothing. @throws NamedError of the LMS; then nothing is changed here
 */
export async function askDescription(
  { registrations, toolDescriptions, clock }: DescribeApp,
  registration: Registration,
  how: "read" | "send",
): Promise<DescriptionGap | null> {
  const lines = await toolDescriptions[how](registration);
  const { description } = registration;
  if (description == null) return null;
  const gap = toolDescriptions.gap({ ...registration, description: { ...description, lines } });
  const sentAt = how === "send" ? clock.now() : description.sentAt;
  await registrations.setDescription(registration, { lines, sentAt: gap === null ? null : sentAt });
  return gap;
}
