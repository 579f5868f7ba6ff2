/**
 * The unit for counting: an IPv4 address (also in IPv6 form), or the /64 of an IPv6 address, whose holder has all of
 * it.
 * @param address From a socket or a trusted proxy.
 */
export function addressBlock(address: string): string {
  const [plain = ""] = address.toLowerCase().split("%"); // a link-local one names its interface
  const mapped = /^(?:0{0,4}:)*ffff:(\d{1,3}(?:\.\d{1,3}){3})$/.exec(plain);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!plain.includes(":")) return plain;
  const [before = "", rest] = plain.split("::");
  const groups = before === "" ? [] : before.split(":");
  const behind = rest === undefined || rest === "" ? [] : rest.split(":");
  const missing = rest === undefined ? 0 : Math.max(0, 8 - groups.length - behind.length);
  const all = [...groups, ...Array.from({ length: missing }, () => "0"), ...behind];
  const network = all.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ""));
  return `${network.join(":")}::/64`;
}
