import { describe, expect, test } from "vitest";
import { readMultipart } from "../../src/web/posted-files.ts";

const lines = (...all: string[]) => Buffer.from(all.join("\r\n"), "latin1");
const type = "multipart/form-data; boundary=x1";
const field = (name: string) => `Content-Disposition: form-data; name="${name}"`;

describe("a form with files", () => {
  test("gives its texts and its files byte by byte, without files that were not chosen", () => {
    const body = lines(
      "--x1",
      field("name"),
      "",
      "North field",
      "--x1",
      `${field("logo")}; filename="a.png"`,
      "Content-Type: image/png",
      "",
      "\x89PNG\r\n\x00--x2\r\n",
      "--x1",
      `${field("none")}; filename=""`,
      "Content-Type: application/octet-stream",
      "",
      "",
      "--x1",
      `${field("empty")}; filename="b.svg"`,
      "",
      "",
      "--x1--",
      "",
    );
    expect(readMultipart(body, type)).toEqual([
      { name: "name", isFile: false, bytes: Buffer.from("North field") },
      { name: "logo", isFile: true, bytes: Buffer.from("\x89PNG\r\n\x00--x2\r\n", "latin1") },
      { name: "empty", isFile: true, bytes: Buffer.alloc(0) },
    ]);
    expect(readMultipart(body, 'Multipart/Form-Data; charset=utf-8; Boundary="x1"')).toHaveLength(3);
  });

  test("is read as the browser's own implementation writes it", async () => {
    const form = new FormData();
    form.set("name", "Zoë „Nord“\nfield");
    form.set("logo", new Blob([new Uint8Array([0, 13, 10, 45, 45, 255])]), 'a "quoted"; name="x".png');
    const sent = new Response(form);
    const body = Buffer.from(await sent.arrayBuffer());
    const parts = readMultipart(body, sent.headers.get("content-type") ?? "");
    expect(parts?.map(({ name, isFile, bytes }) => [name, isFile, bytes.toString("hex")])).toEqual([
      ["name", false, Buffer.from("Zoë „Nord“\r\nfield").toString("hex")],
      ["logo", true, "000d0a2d2dff"],
    ]);
  });

  test.each<[string, Buffer, string]>([
    ["that is empty", Buffer.alloc(0), type],
    ["without a boundary", lines("--x1--"), "multipart/form-data"],
    ["with another boundary", lines("--x2--"), type],
    ["that ends early", lines("--x1", field("a"), "", "b"), type],
    ["whose part has no head", lines("--x1", field("a"), "--x1--"), type],
    ["whose part has no name", lines("--x1", "Content-Type: text/plain", "", "b", "--x1--"), type],
    ["that contains a longer boundary", lines("--x1y", field("a"), "", "b", "--x1--"), type],
  ])("%s is refused", (_what, body, contentType) => expect(readMultipart(body, contentType)).toBeNull());

  test("may have no parts", () => expect(readMultipart(lines("--x1--", ""), type)).toEqual([]));
});
