import type { PlatformFamily } from "../domain/registration.ts";
import { customParametersFor } from "./custom-parameters.ts";
import { scopes } from "./scopes.ts";
import type { ToolDescription } from "./tool-description.ts";

/** What an administrator enters by hand where an LMS does not register tools by itself. */
export type ManualValues = {
  /** Tool URL, target link and redirect address in one. */
  launchUrl: string;
  loginUrl: string;
  keysUrl: string;
  logoUrl: string;
  canvasConfigurationUrl: string;
  /** One "name=value" a line. */
  customParameters: Readonly<Record<PlatformFamily, string>>;
  /** One a line. */
  scopes: string;
};

/** The values for an installation; nothing in them is secret. */
export function manualValues(tool: ToolDescription): ManualValues {
  return {
    launchUrl: tool.launchUrl,
    loginUrl: tool.loginUrl,
    keysUrl: tool.keysUrl,
    logoUrl: tool.logoUrl,
    canvasConfigurationUrl: tool.canvasConfigurationUrl,
    customParameters: {
      moodle: asLines(customParametersFor("moodle")),
      canvas: asLines(customParametersFor("canvas")),
      other: asLines(customParametersFor("other")),
    },
    scopes: Object.values(scopes).join("\n"),
  };
}

function asLines(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}
