import { describe, expect, test } from "vitest";
import { NamedError } from "../../../src/kernel/errors.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";

const oldKey = "the key of last year, 32 bytes or more";
const newKey = "the key of this year, 32 bytes or more";

/** The code of the NamedError that `act` throws; "nothing" if it does not throw. */
function refusalOf(act: () => unknown): string {
  try {
    act();
    return "nothing";
  } catch (thrown) {
    return thrown instanceof NamedError ? thrown.code : "a defect";
  }
}

/** The sealed text with one bit of one byte flipped. */
function damaged(sealed: string, byte: number): string {
  const bytes = Buffer.from(sealed.slice(3), "base64url");
  bytes.writeUInt8(bytes.readUInt8(byte) ^ 1, byte);
  return `v1.${bytes.toString("base64url")}`;
}

describe("a sealed secret", () => {
  const sealer = createSealer(newKey);

  test.each(["a private key", "", "Ümläut 🔑 and\nlines", "x".repeat(10_000)])(
    "opens to its original",
    (plain) => {
      expect(sealer.open("tool-key", sealer.seal("tool-key", plain))).toBe(plain);
    },
  );

  test("reveals nothing of its content", () => {
    const sealed = sealer.seal("tool-key", "a private key");
    expect(sealed).toMatch(/^v1\.[\w-]+$/);
    expect(Buffer.from(sealed.slice(3), "base64url").toString("latin1")).not.toContain("private");
  });

  test("looks different each time, so that equal secrets cannot be recognised", () => {
    const sealed = Array.from({ length: 100 }, () => sealer.seal("tool-key", "same"));
    expect(new Set(sealed).size).toBe(100);
  });

  test("does not open for another purpose, so that a value cannot be moved", () => {
    const sealed = sealer.seal("access-token", "t");
    expect(refusalOf(() => sealer.open("tool-key", sealed))).toBe("sealed-with-unknown-key");
  });

  test.each([
    ["its nonce", 0],
    ["its tag", 12],
    ["the end of its tag", 27],
    ["its content", 28],
  ])("does not open with one bit of %s changed", (_what, byte) => {
    const sealed = sealer.seal("tool-key", "a private key");
    expect(sealer.open("tool-key", sealed)).toBe("a private key");
    expect(refusalOf(() => sealer.open("tool-key", damaged(sealed, byte)))).toBe("sealed-with-unknown-key");
  });

  test.each(["", "v1.", "v1.AAAA", "plain text that was never sealed", "{}"])("is not made of %j", (text) => {
    expect(refusalOf(() => sealer.open("tool-key", text))).toBe("sealed-with-unknown-key");
  });

  test("does not open without its end", () => {
    const sealed = sealer.seal("tool-key", "a private key");
    expect(refusalOf(() => sealer.open("tool-key", sealed.slice(0, -4)))).toBe("sealed-with-unknown-key");
  });

  test("does not open with a shortened tag", () => {
    const bytes = Buffer.from(sealer.seal("p", "").slice(3), "base64url");
    const cut = `v1.${bytes.subarray(0, 16).toString("base64url")}`;
    expect(refusalOf(() => sealer.open("p", cut))).toBe("sealed-with-unknown-key");
  });
});

describe("changing SECRET_KEY", () => {
  test("still opens what the previous key sealed", () => {
    const sealed = createSealer(oldKey).seal("tool-key", "kept");
    expect(createSealer(newKey, oldKey).open("tool-key", sealed)).toBe("kept");
  });

  test("opens newly sealed values once the previous key is gone", () => {
    const sealed = createSealer(newKey, oldKey).seal("tool-key", "new");
    expect(createSealer(newKey).open("tool-key", sealed)).toBe("new");
    expect(refusalOf(() => createSealer(oldKey).open("tool-key", sealed))).toBe("sealed-with-unknown-key");
  });

  test("without keeping the previous one says which variable to set, and nothing about the secret", () => {
    const sealed = createSealer(oldKey).seal("tool-key", "lost");
    const open = () => createSealer(newKey).open("tool-key", sealed);
    expect(open).toThrow(/SECRET_KEY_PREVIOUS/);
    expect(open).not.toThrow(sealed);
  });
});
