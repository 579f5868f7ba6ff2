/** Empty values are left out. */
export function addressWith(path: string, asked: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== "")).toString();
  return query === "" ? path : `${path}?${query}`;
}
