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
  const [, name = "", inner] = /^\s*"?([^"<>\p{C}]{0,100}?)"?\s*<([^<>]*)>\s*$/u.exec(text) ?? [];
  const address = mailAddressOf(inner ?? text);
  return address === null ? null : { name: name.trim(), address };
}
