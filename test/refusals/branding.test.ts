import { beforeAll, describe, expect, test } from "vitest";
import { maxLogoBytes } from "../../src/modules/courses/rules/branding.ts";
import { pngLogo, tinyLogos } from "../support/builders/logo-files.ts";
import { get, logIn, rightPassword, send } from "../support/tool/console-tool.ts";
import { startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { type LookFields, type LookForm, openLookForm } from "../support/tool/forms.ts";

let form: LookForm;
const world = await forAllTests(startTinyWorld(undefined, { ADMIN_PASSWORD: rightPassword }));
beforeAll(async () => {
  form = await openLookForm(world.toolUrl, world.registration.id);
});

const stored = () => world.stores.brandings.find(world.registration.id);
const name = "Northfield University";

describe("the branding of courses", () => {
  test.each<[string, LookFields, string]>([
    ["an invalid colour", { accent: "blue" }, "Enter a hex colour, such as #1d5fbf."],
    [
      "a colour with too little contrast",
      { accent: "#ffcc00" },
      "White text isn’t readable on this colour. Choose a darker one.",
    ],
    ["a logo for dark pages alone", { name, logoDark: pngLogo() }, "Add the logo for light pages, too."],
    [
      "a file that is too large",
      { name, logo: new Uint8Array(maxLogoBytes + 1) },
      "The file is larger than 64 KB.",
    ],
    [
      "a picture that is too large",
      { name, logo: pngLogo(2_000) },
      "The picture is larger than 1024 × 1024 pixels.",
    ],
    [
      "a file of another type",
      { name, logo: new TextEncoder().encode("<!doctype html><p>Hello") },
      "The file isn’t a PNG, JPEG or WebP.",
    ],
    [
      "an SVG",
      { name, logo: new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      "The file isn’t a PNG, JPEG or WebP.",
    ],
    ["a logo without a name", { logo: pngLogo() }, "A logo needs the institution’s name."],
    ["a long name", { name: "x".repeat(101) }, "Use at most 100 characters."],
  ])("is not set by %s, and the page says why beside the field", async (_what, fields, said) => {
    const before = await stored();
    const answer = await form.send(fields);
    expect([answer.status, textOf(answer)]).toEqual([422, expect.stringContaining(said)]);
    // The page still has what was typed.
    for (const typed of [fields.name, fields.accent])
      if (typed !== undefined) expect(answer.text).toContain(`value="${typed}"`);
    expect(await stored()).toEqual(before);
  });

  test("isn't set by a form over a megabyte, by anything except a form, or by another page's form", async () => {
    const before = await stored();
    const large = await form.send({ name, logo: new Uint8Array(1_200_000) });
    expect([large.status, textOf(large)]).toEqual([413, expect.stringContaining("The files are too large")]);
    const { cookie } = await logIn(world.toolUrl);
    const post = (body: string, headers: Record<string, string>) =>
      fetch(`${world.toolUrl}/admin/registrations/${world.registration.id}/look`, {
        method: "POST",
        body,
        headers: { "content-type": "multipart/form-data; boundary=x", ...headers },
      });
    const part = '\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x';
    for (const body of ["no form", `--x${part.repeat(101)}--`]) {
      expect((await post(body, { cookie })).status).toBe(400);
      expect((await post(body, {})).status).toBe(401);
    }
    expect((await form.send({ name, form: "forged" })).status).toBe(403);
    const stranger = await send(`${world.toolUrl}/admin/registrations/${world.registration.id}/look`, {
      name,
    });
    expect(stranger.status).toBe(401);
    expect(await stored()).toEqual(before);
  });

  test("isn't overwritten by somebody who hasn't seen the change", async () => {
    const { revision } = await stored();
    await form.set({ name });
    const late = await form.send({ name: "Somebody else's", revision: String(revision) });
    expect([late.status, textOf(late)]).toEqual([
      409,
      expect.stringContaining("Someone else changed the branding, so yours isn’t saved."),
    ]);
    expect((await stored()).name).toBe(name);
    await form.set({ name: "" });
  });

  test("has no page for an unknown LMS", async () => {
    const nobody = await openLookForm(world.toolUrl, "reg_none");
    expect((await nobody.open()).status).toBe(404);
  });
});

describe("an address below /brand", () => {
  test("returns the current logo, and browsers may cache it", async () => {
    await form.set({ name, logo: tinyLogos.jpeg, logoDark: tinyLogos.lossyWebp });
    const { logo, logoDark } = await stored();
    for (const [one, type] of [[logo, "image/jpeg"] as const, [logoDark, "image/webp"] as const]) {
      const answer = await get(`${world.toolUrl}/brand/${one?.digest}.${one?.kind}`);
      expect(answer.status).toBe(200);
      const said = (header: string) => answer.headers.get(header);
      expect(said("content-type")).toMatch(type);
      expect(said("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(said("x-content-type-options")).toBe("nosniff");
    }
    // A logo of one type is not returned as another.
    expect((await get(`${world.toolUrl}/brand/${logo?.digest}.png`)).status).toBe(404);
  });

  test("returns a cacheable style sheet only for a readable colour", async () => {
    const sheet = await get(`${world.toolUrl}/brand/8a1538.css`);
    expect([sheet.status, sheet.text]).toEqual([200, expect.stringContaining(":root{--brand:#8a1538;")]);
    expect(sheet.headers.get("content-type")).toMatch("text/css");
    expect(sheet.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    for (const other of ["ffcc00.css", "8a1538-8a1538.css", "8a15.css", "8a1538.css%0a"])
      expect((await get(`${world.toolUrl}/brand/${other}`)).status, other).toBe(404);
  });

  test("returns no removed logo, and nothing at an invented address", async () => {
    await form.set({ name, logo: pngLogo(9), "remove-logoDark": "yes" });
    const { logo } = await stored();
    const address = `${world.toolUrl}/brand/${logo?.digest}.png`;
    expect((await get(address)).status).toBe(200);
    await form.set({ name, "remove-logo": "yes" });
    expect((await get(address)).status).toBe(404);
    for (const made of ["x", "null.png", "AAAAAAAAAAAAAAAA.png", `${world.registration.id}.png`])
      expect((await get(`${world.toolUrl}/brand/${made}`)).status, made).toBe(404);
  });
});
