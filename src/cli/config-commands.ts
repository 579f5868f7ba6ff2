import { canvasConfiguration } from "../lms/products/canvas.ts";
import { manualValues } from "../lms/manual-registration.ts";
import { describeTool } from "../lms/registration-request.ts";
import { type Command, type CommandTools, UsageError } from "./command.ts";
import { withoutTrailingSlashes } from "../kernel/text.ts";

/** config canvas: the developer key's configuration, as `GET /lti/config/canvas.json` gives it. */
export const canvasConfig: Command = (tools) => {
  const json = canvasConfiguration(describeTool(publicUrlOf(tools)));
  return Promise.resolve({ text: JSON.stringify(json, null, 2), json });
};

/** config moodle: the values to enter by hand. */
export const moodleConfig: Command = (tools) => {
  const { products, ...values } = manualValues(describeTool(publicUrlOf(tools)));
  const { customParameters } = products.moodle;
  return Promise.resolve({
    text: [
      `Tool URL                  ${values.launchUrl}`,
      "LTI version               LTI 1.3",
      "Public key type           Keyset URL",
      `Public keyset             ${values.keysUrl}`,
      `Initiate login URL        ${values.loginUrl}`,
      `Redirection URI(s)        ${values.launchUrl}`,
      "Supports Deep Linking     yes",
      `Content selection URL     ${values.launchUrl}`,
      `Icon URL                  ${values.logoUrl}`,
      "Custom parameters:",
      ...customParameters.split("\n").map((line) => `  ${line}`),
    ].join("\n"),
    json: { ...values, customParameters },
  });
};

/** Given on the command line, else configured: files for others need no configuration. */
function publicUrlOf({ values, config }: CommandTools): string {
  const given = values["public-url"];
  if (given === undefined) return config().publicUrl;
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError("--public-url must be a full web address.");
  }
  return withoutTrailingSlashes(url.href);
}
