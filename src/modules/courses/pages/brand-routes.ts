import { type Response, Router } from "express";
import type { App } from "../../../app.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { sheetAt } from "../rules/institution-look.ts";

/** What is at an address here never changes: it names a colour, or the digest of a file. */
const forGood = "public, max-age=31536000, immutable";

const sheetName = /^([\da-f]{6})\.css$/;
const logoName = /^([\w-]{16})\.(png|jpg|webp)$/;

const types = { png: "image/png", jpg: "image/jpeg", webp: "image/webp" } as const;

/** GET /brand/<name> is the style sheet of a colour, or a logo. Neither is a secret, and neither says whose it is. */
export function brandRoutes(app: Pick<App, "institutionLooks">): Router {
  const router = Router();
  router.get("/brand/:name", async ({ params: { name } }, response) => {
    const [, colour] = sheetName.exec(name) ?? [];
    const sheet = colour === undefined ? null : sheetAt(`#${colour}`);
    if (sheet !== null) {
      answer(response, "text/css", Buffer.from(sheet));
      return;
    }
    const [, digest, kind] = logoName.exec(name) ?? [];
    const logo = digest === undefined ? null : await app.institutionLooks.findLogo(digest);
    if (logo === null || logo.kind !== kind) throw refusal("not-found", { status: 404 });
    answer(response, types[logo.kind], Buffer.from(logo.data, "base64"));
  });
  return router;
}

function answer(response: Response, type: string, body: Buffer): void {
  response.set("Cache-Control", forGood).type(type).send(body);
}
