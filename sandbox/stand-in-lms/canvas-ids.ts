// From: Canvas's opaque identifiers, by their shape only.
import { createHash } from "node:crypto";

/** Cached both ways: a course of thousands needs no hashing at every call. */
const numbers = new Map<string, string>();
const opaque = new Map<string, string>();

/** Opaque ids derived from Canvas's numbers, and so stable. */
export const canvasIds = {
  /** `sub` and `user_id`. */
  person: (id: string): string => {
    const known = opaque.get(id);
    if (known !== undefined) return known;
    const made = uuid(`person ${id}`);
    opaque.set(id, made);
    numbers.set(made, id);
    return made;
  },
  /** The number behind a `sub`; a number stands for itself. */
  numberOf: (sub: string): string => numbers.get(sub) ?? sub,
  /** `context.id`. */
  course: (id: string): string => hash(`course ${id}`).slice(0, 40),
  /** `resource_link.id`. */
  link: (id: string): string => uuid(`link ${id}`),
};

function uuid(text: string): string {
  const digest = hash(text);
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ].join("-");
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
