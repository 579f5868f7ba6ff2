// Imitates nothing.
import express, { type Express, type Request, type Response } from "express";
import { z } from "zod";
import { addToolByJson } from "./lms-control.ts";
import type { Tool } from "./lms-records.ts";
import { type Lms, quirksSchema } from "./lms.ts";
import { errorPage, fieldOf, html, type Html, page, pathValue, type Viewer, viewerOf } from "./pages.ts";
import { activateTool, addToolByHand, beginRegistration } from "./registration.ts";
import { faultSchema } from "./services.ts";

/** Add by address (dynamic registration) or by hand, activate, delete. */
export function mountAdminPages(app: Express, lms: Lms, deps: { fetch: typeof fetch }): void {
  const form = express.urlencoded({ extended: false });
  app.get("/admin/tools", (request, response) => {
    const viewer = administratorOf(lms, request, response);
    if (viewer === null) return;
    response.type("html").send(page(lms, { title: "Tools", person: viewer.person, body: toolsBody(lms) }));
  });

  app.post("/admin/tools/register", form, async (request, response) => {
    const viewer = administratorOf(lms, request, response);
    if (viewer === null) return;
    const address = URL.parse(fieldOf(request.body, "url"));
    if (address === null) {
      response
        .status(400)
        .type("html")
        .send(errorPage(lms, "That is not an address. Paste the tool's registration URL."));
      return;
    }
    const full = await beginRegistration(lms, address.href);
    const body = html`<p>The tool shows its part of the registration here and closes it when it is done.</p>
      <iframe class="tool" title="Registration of the tool" src="${full}"></iframe>
      <p><a href="/admin/tools">Back to the tools</a></p>
      <script>
        addEventListener("message", (event) => {
          if (event.data && event.data.subject === "org.imsglobal.lti.close") location.assign("/admin/tools");
        });
      </script>`;
    response.type("html").send(page(lms, { title: "Add a tool", person: viewer.person, body }));
  });

  app.post("/admin/tools", form, (request, response) => {
    const viewer = administratorOf(lms, request, response);
    if (viewer === null) return;
    const field = (name: string) => fieldOf(request.body, name);
    const [loginUrl, launchUrl, jwksUrl] = [field("login"), field("launch"), field("jwks")];
    if ([loginUrl, launchUrl, jwksUrl].some((url) => !URL.canParse(url))) {
      response.status(400).type("html").send(errorPage(lms, "All three addresses are needed."));
      return;
    }
    addToolByHand(lms, {
      name: field("name") || "Tool",
      loginUrl,
      launchUrl,
      jwksUrl,
      deepLinkingUrl: launchUrl,
      custom: parametersOf(field("custom")),
    });
    response.redirect(303, "/admin/tools");
  });

  app.post(
    "/admin/tools/json",
    express.urlencoded({ extended: false, limit: "1mb" }),
    async (request, response) => {
      if (administratorOf(lms, request, response) === null) return;
      const redirects = fieldOf(request.body, "redirects")
        .split(/\s+/)
        .filter((text) => URL.canParse(text));
      const made = await addToolByJson(lms, deps, fieldOf(request.body, "json"), {
        ...(redirects.length === 0 ? {} : { redirectUris: redirects }),
      });
      if ("errors" in made) response.status(422).json({ errors: made.errors });
      else response.redirect(303, "/admin/tools");
    },
  );

  app.post("/admin/tools/:id/activate", (request, response) => {
    changeTool(lms, request, response, (tool) => activateTool(lms.world, tool.id));
  });
  app.post("/admin/tools/:id/delete", (request, response) => {
    changeTool(lms, request, response, (tool) => lms.world.tools.delete(tool.id));
  });
}

/** Lines of `name=value`, as Moodle takes custom parameters. */
function parametersOf(text: string): Record<string, string> {
  const pairs = text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^\s*([^=]+?)\s*=\s*(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value.trim()]];
  });
  return z.record(z.string(), z.string()).parse(Object.fromEntries(pairs));
}

function changeTool(lms: Lms, request: Request, response: Response, change: (tool: Tool) => void): void {
  if (administratorOf(lms, request, response) === null) return;
  const tool = lms.world.tools.get(pathValue(request, "id"));
  if (tool !== undefined) change(tool);
  response.redirect(303, "/admin/tools");
}

function administratorOf(lms: Lms, request: Request, response: Response): Viewer | null {
  const viewer = viewerOf(lms, request, response);
  if (viewer === null || viewer.person.admin) return viewer;
  response.status(403).type("html").send(errorPage(lms, "Only the administrator may see this."));
  return null;
}

function toolsBody(lms: Lms): Html {
  const tools = [...lms.world.tools.values()];
  return html`<h2>Add a tool by its URL</h2>
    <form method="post" action="/admin/tools/register" class="card">
      <label for="url">Tool URL (the tool's registration address)</label>
      <input type="url" id="url" name="url" required />
      <p><button>Add</button></p>
    </form>
    <h2>Registered tools</h2>
    ${
      tools.length === 0
        ? html`<p>No tools yet.</p>`
        : html`<ul class="list">
            ${tools.map((tool) => toolCard(lms, tool))}
          </ul>`
    }
    <h2>Add a tool by hand</h2>
    <form method="post" action="/admin/tools" class="card">
      <label for="name">Name</label><input type="text" id="name" name="name" required />
      <label for="launch">Tool URL (also its redirect address)</label
      ><input type="url" id="launch" name="launch" required /> <label for="login">Initiate login URL</label
      ><input type="url" id="login" name="login" required /> <label for="jwks">Public keyset</label
      ><input type="url" id="jwks" name="jwks" required />
      <label for="custom">Custom parameters, one name=value a line</label
      ><textarea id="custom" name="custom" rows="3"></textarea>
      <p><button>Save</button></p>
    </form>
    ${lms.manners.name === "canvas" ? developerKeyForm : null}`;
}

const developerKeyForm = html`<h2>Add an LTI developer key</h2>
  <form method="post" action="/admin/tools/json" class="card">
    <label for="json">JSON, or the URL of it</label>
    <textarea id="json" name="json" rows="6" required></textarea>
    <label for="redirects">Redirect URIs, one a line (the target link URI when empty)</label>
    <textarea id="redirects" name="redirects" rows="2"></textarea>
    <p><button>Save the key</button></p>
  </form>`;

function toolCard(lms: Lms, tool: Tool): Html {
  const { paths } = lms.manners;
  const values: [string, string][] = [
    ["Platform ID (issuer)", lms.url],
    ["Client ID", tool.clientId],
    ["Deployment ID", tool.deploymentId],
    ["Public keyset URL", `${lms.url}${paths.keys}`],
    ["Access token URL", `${lms.url}${paths.token}`],
    ["Authentication request URL", `${lms.url}${paths.authorization}`],
  ];
  return html`<li class="card">
    <div class="row">
      <strong class="grow">${tool.name}</strong>
      <span>${tool.state === "active" ? "Active" : "Pending"}</span>
      ${
        tool.state === "active"
          ? null
          : html`<form method="post" action="/admin/tools/${tool.id}/activate">
              <button>Activate</button>
            </form>`
      }
      <form method="post" action="/admin/tools/${tool.id}/delete">
        <button class="plain" aria-label="Delete ${tool.name}">Delete</button>
      </form>
    </div>
    <details>
      <summary>Values to paste into the tool</summary>
      <dl>
        ${values.map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd><code>${value}</code></dd>`,
        )}
      </dl>
    </details>
  </li>`;
}

/** As JSON under /sandbox. */
export function mountSandboxRoutes(app: Express, lms: Lms): void {
  app.get("/sandbox/faults", (_request, response) => {
    response.json(lms.faults.all());
  });
  app.post("/sandbox/faults", express.json(), (request, response) => {
    const fault = faultSchema.safeParse(request.body);
    if (!fault.success) {
      response
        .status(400)
        .json({ error: fault.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) });
      return;
    }
    lms.faults.add(fault.data);
    response.status(201).json(lms.faults.all());
  });
  app.delete("/sandbox/faults", (_request, response) => {
    lms.faults.clear();
    response.status(204).end();
  });
  app.get("/sandbox/quirks", (_request, response) => {
    response.json(lms.quirks);
  });
  app.post("/sandbox/quirks", express.json(), (request, response) => {
    const change: unknown = request.body;
    const quirks = quirksSchema.safeParse(
      typeof change === "object" && change !== null ? { ...lms.quirks, ...change } : change,
    );
    if (quirks.success) response.json(Object.assign(lms.quirks, quirks.data));
    else response.status(400).json({ error: quirks.error.issues.map(({ message }) => message) });
  });
  app.get("/sandbox/log.json", (_request, response) => {
    response.json(lms.log.all());
  });
  app.delete("/sandbox/log.json", (_request, response) => {
    lms.log.clear();
    response.status(204).end();
  });
}
