// Imitates nothing.
import express, { type Express, type Request, type Response } from "express";
import { html, type Html } from "../html.ts";
import type { Tool } from "./lms-records.ts";
import type { Lms } from "./lms.ts";
import { fieldOf, page, sendError, type Viewer, viewerOf } from "./pages.ts";
import { acceptProposed, beginRegistration } from "./registration.ts";

/** Add by address (dynamic registration), and what to paste into a tool. */
export function mountAdminPages(app: Express, lms: Lms): void {
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
      sendError(lms, response, 400, "That is not an address. Paste the tool's registration URL.");
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

  app.post("/admin/tools/accept", form, (request, response) => {
    const viewer = administratorOf(lms, request, response);
    if (viewer === null) return;
    const tool = lms.world.tools.get(fieldOf(request.body, "tool"));
    if (tool?.proposed !== undefined) acceptProposed(lms, tool);
    response.redirect(303, "/admin/tools");
  });

  app.get("/sandbox/log.json", (_request, response) => {
    response.json(lms.log.all());
  });
}

function administratorOf(lms: Lms, request: Request, response: Response): Viewer | null {
  const viewer = viewerOf(lms, request, response);
  if (viewer === null || viewer.person.admin) return viewer;
  sendError(lms, response, 403, "Only the administrator may see this.");
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
    } `;
}

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
    <strong>${tool.name}</strong>
    ${
      tool.proposed === undefined
        ? ""
        : html`<form method="post" action="/admin/tools/accept">
            <input type="hidden" name="tool" value="${tool.id}" />
            <p>Update Available: the tool has sent a new description. <button>Accept</button></p>
          </form>`
    }
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
