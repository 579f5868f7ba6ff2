import { cutTo } from "../kernel/text.ts";
import type { NewApiUser } from "./client.ts";
import type { Dialect } from "./dialect.ts";

/** As the service takes a user: with an address, and with names that fit. */
export function writtenUser<User extends NewApiUser>(user: User, dialect: Dialect): User {
  const cut = (text: string) => cutTo(text, dialect.lengths.name);
  const { name, givenName, familyName } = user;
  return {
    ...withAddress(user, dialect),
    name: cut(name),
    givenName: givenName === null ? null : cut(givenName),
    familyName: familyName === null ? null : cut(familyName),
  };
}

/** A user with the dialect's made-up address where the LMS withholds theirs, or with theirs changed for the role. */
export function withAddress<
  User extends { reference: string; email: string | null; role: "host" | "participant" },
>(user: User, { email }: Pick<Dialect, "email">): User {
  const template = user.email === null ? email.synthetic : email.ofRole[user.role];
  if (template === null) return user;
  const at = user.email?.lastIndexOf("@") ?? -1;
  const written = template
    .replaceAll("{reference}", user.reference.replace(/[^\w.-]/g, "-"))
    .replaceAll("{role}", user.role)
    .replaceAll("{local}", () => user.email?.slice(0, Math.max(at, 0)) ?? "")
    .replaceAll("{domain}", () => user.email?.slice(at + 1) ?? "");
  return { ...user, email: written };
}
