/** The longest address that mail servers take (RFC 5321, 4.5.3.1.3). */
const maxLength = 254;

/** Of an address from outside: one plain address that cannot end a header, name a second person or be an option; null for anything else. */
export function mailAddressOf(text: string | null): string | null {
  const address = text?.trim() ?? "";
  if (address.length > maxLength || !address.isWellFormed()) return null;
  return /^[^\s"(),:;<>@[\\\]\p{C}-][^\s"(),:;<>@[\\\]\p{C}]*@[\p{L}\p{N}.-]+$/u.test(address) &&
    !/@[.-]|\.\.|[.-]$/.test(address)
    ? address
    : null;
}

/** "Name <address>" or an address alone; null for anything else. */
export function namedMailAddress(text: string): { name: string; address: string } | null {
  const whole = text.trim();
  const at = whole.indexOf("<");
  if (at === -1 || !whole.endsWith(">")) {
    const alone = mailAddressOf(whole);
    return alone === null ? null : { name: "", address: alone };
  }
  const [, name] = /^"?([^"<>\p{C}]{0,100})"?$/u.exec(whole.slice(0, at).trim()) ?? [];
  const address = mailAddressOf(whole.slice(at + 1, -1));
  return address === null || name === undefined ? null : { name: name.trim(), address };
}
