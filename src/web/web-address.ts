/** For addresses from the LMS: only a web address may become a link (never `javascript:`). */
export function webAddressOrNull(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

export function originOrNull(address: string | null): string | null {
  const known = webAddressOrNull(address);
  return known === null ? null : new URL(known).origin;
}
