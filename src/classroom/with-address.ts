import type { Dialect } from "./dialect.ts";

/** Somebody with the address that the dialect makes up, where the LMS withholds theirs. */
export function withAddress<User extends { reference: string; email: string | null; role: string }>(
  user: User,
  { email }: Pick<Dialect, "email">,
): User {
  if (user.email !== null || email.synthetic === null) return user;
  const written = email.synthetic
    .replaceAll("{reference}", user.reference.replace(/[^\w.-]/g, "-"))
    .replaceAll("{role}", user.role);
  return { ...user, email: written };
}
