// Imitates nothing.
import type { Lms } from "./lms.ts";
import type { Tool } from "./lms-records.ts";
import { readToolJson } from "./canvas-tool-json.ts";
import { beginRegistration, beginRegistrationUpdate } from "./registration-endpoint.ts";
import { activateTool, addToolByHand, installInCourse, newTool } from "./tools.ts";
import type { ToolByHand } from "./tools.ts";

export type ToolByJson = { tool: Tool; ignored: string[] } | { errors: string[] };

export type ToolControl = {
  /** @returns The tool's address with the parameters the LMS adds. */
  beginRegistration: (toolRegistrationUrl: string) => Promise<string>;
  /** As when Moodle asks "update or new". @returns As above. */
  beginRegistrationUpdate: (toolId: string, toolRegistrationUrl: string) => Promise<string>;
  tools: () => Tool[];
  activateTool: (toolId: string) => Tool;
  /** Its activities stay and cannot be opened. */
  deleteTool: (toolId: string) => void;
  addToolByHand: (form: ToolByHand) => Tool;
  /** JSON of a Canvas developer key, or its address. `ignored`: members without effect. Redirects: `target_link_uri` by default. */
  addToolByJson: (configuration: unknown, options?: { redirectUris?: string[] }) => Promise<ToolByJson>;
  /** Canvas only. @returns The deployment id of that installation. */
  installInCourse: (toolId: string, courseId: string) => string;
};

export function createToolControl(lms: Lms, deps: { fetch: typeof fetch }): ToolControl {
  const { world } = lms;
  return {
    beginRegistration: (url) => beginRegistration(lms, url),
    beginRegistrationUpdate: (toolId, url) => beginRegistrationUpdate(lms, toolId, url),
    tools: () => [...world.tools.values()],
    activateTool: (toolId) => activateTool(world, toolId),
    deleteTool: (toolId) => {
      world.tools.delete(toolId);
    },
    addToolByHand: (form) => addToolByHand(lms, form),
    addToolByJson: (configuration, options = {}) => addToolByJson(lms, deps, configuration, options),
    installInCourse: (toolId, courseId) => {
      const tool = world.tools.get(toolId);
      if (tool === undefined) throw new Error(`The stand-in LMS has no tool ${toolId}.`);
      return installInCourse(tool, courseId);
    },
  };
}

/** As the control's method of this name; also behind the administrator's page. */
export async function addToolByJson(
  lms: Lms,
  deps: { fetch: typeof fetch },
  configuration: unknown,
  options: { redirectUris?: string[] } = {},
): Promise<ToolByJson> {
  const json: unknown =
    typeof configuration === "string" ? await jsonAt(configuration, deps.fetch) : configuration;
  const read = readToolJson(json, options.redirectUris);
  if ("errors" in read) return read;
  const tool = newTool(lms, lms.manners.newClientId(), {
    ...read.words,
    scopes: lms.manners.grantedScopes(read.words.scopes),
  });
  return { tool: activateTool(lms.world, tool.id), ignored: read.ignored };
}

/** Invalid JSON counts as nothing: the rules then say what is missing. */
async function jsonAt(text: string, get: typeof fetch): Promise<unknown> {
  try {
    if (!URL.canParse(text)) return JSON.parse(text);
    return await (await get(text, { signal: AbortSignal.timeout(10_000) })).json();
  } catch {
    return null;
  }
}
