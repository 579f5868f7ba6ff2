import type { LmsWording, PlatformFamily } from "../domain/lms-product.ts";
import { ofEachProduct } from "./products/products.ts";
import { scopes } from "./scopes.ts";
import type { ToolDescription } from "./tool-description.ts";

/** What an administrator enters where an LMS does not register tools by itself. */
export type ManualValues = {
  /** Tool URL, target link and redirect address in one. */
  launchUrl: string;
  loginUrl: string;
  keysUrl: string;
  logoUrl: string;
  canvasConfigurationUrl: string;
  /** One a line. */
  scopes: string;
  products: Readonly<Record<PlatformFamily, ProductValues>>;
};

/** What is entered in one LMS product. */
export type ProductValues = {
  wording: LmsWording;
  /** One "name=value" a line. */
  customParameters: string;
  /** From where the LMS loads the configuration; null where it does not. */
  configurationUrl: string | null;
};

/** Nothing in them is secret. */
export function manualValues(tool: ToolDescription): ManualValues {
  return {
    launchUrl: tool.launchUrl,
    loginUrl: tool.loginUrl,
    keysUrl: tool.keysUrl,
    logoUrl: tool.logoUrl,
    canvasConfigurationUrl: tool.canvasConfigurationUrl,
    scopes: Object.values(scopes).join("\n"),
    products: ofEachProduct(({ capabilities, registration }) => ({
      wording: capabilities.wording,
      customParameters: asLines(registration.customParameters),
      configurationUrl: registration.configurationUrl(tool),
    })),
  };
}

function asLines(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}
