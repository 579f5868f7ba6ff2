import type { Person } from "../../../domain/course.ts";
import { searchKey } from "./search-key.ts";

type Named = Pick<Person, "name" | "givenName" | "familyName" | "email">;

/** How a person is searched for: by the beginning of one of these. Empty where nothing is known. */
export type PersonKeys = { nameKey: string; familyKey: string; emailKey: string };

export function personKeysOf({ name, givenName, familyName, email }: Named): PersonKeys {
  return {
    nameKey: searchKey(name ?? `${givenName ?? ""} ${familyName ?? ""}`),
    familyKey: searchKey(`${familyName ?? ""} ${givenName ?? ""}`),
    emailKey: searchKey(email ?? ""),
  };
}

export const personKeyNames = [
  "nameKey",
  "familyKey",
  "emailKey",
] as const satisfies readonly (keyof PersonKeys)[];
