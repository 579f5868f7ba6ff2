import { type Response, Router } from "express";
import type { App } from "../../../app.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { sheetAt } from "../rules/institution-look.ts";

/** What is at an address here never changes: it names colours, or the digest of a file. */
const forGood = "public, max-age=31536000, immutable";

const sheetName = /^([\da-f]{6})-([\da-f]{6})\.css$/;
const logoName = /^([\w-]{16})\.(png|svg)$/;

const types = { png: "image/png", svg: "image/svg+xml" } as const;

/** GET /brand/<name> is the style sheet of two colours, or a logo. Neither is a secret, and neither says whose it is. */
export function brandRoutes(app: Pick<App, "institutionLooks">): Router {
  const router = Router();
  router.get("/brand/:name", async ({ params: { name } }, response) => {
    const [, light, dark] = sheetName.exec(name) ?? [];
    const sheet = light === undefined || dark === undefined ? null : sheetAt(`#${light}`, `#${dark}`);
    if (sheet !== null) {
      answer(response, "text/css", Buffer.from(sheet));
      return;
    }
    const [, digest, kind] = logoName.exec(name) ?? [];
    const logo = digest === undefined ? null : await app.institutionLooks.findLogo(digest);
    if (logo === null || logo.kind !== kind) throw refusal("not-found", { status: 404 });
    // Opened by itself, an SVG is a document: it runs nothing, loads nothing, and is of no origin.
    response.set(
      "Content-Security-Policy",
      "default-src 'none';style-src 'unsafe-inline';img-src data:;base-uri 'none';form-action 'none';frame-ancestors 'none';sandbox",
    );
    answer(response, types[logo.kind], Buffer.from(logo.data, "base64"));
  });
  return router;
}

function answer(response: Response, type: string, body: Buffer): void {
  response.set("Cache-Control", forGood).type(type).send(body);
}
