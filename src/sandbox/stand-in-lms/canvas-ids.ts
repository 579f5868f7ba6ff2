import { createHash } from "node:crypto";

/** Canvas shows tools opaque ids instead of its own numbers; these are derived from them, so they stay stable. */
export const canvasIds = {
  /** `sub` and `user_id`. */
  person: (id: string): string => uuid(`person ${id}`),
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
