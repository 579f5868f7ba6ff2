import { BlockList, isIP } from "node:net";
import { refusal } from "../kernel/refusal.ts";

const inside = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  inside.addSubnet(network, prefix, "ipv4");
}
// Of IPv6 only global unicast is outside; what maps or tunnels to IPv4 counts as inside.
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  inside.addSubnet(network, prefix, "ipv6");
}

/** Whether an IP address is not loopback, private, link-local, reserved or multicast. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !inside.check(address, "ipv4");
  if (family !== 6) return false;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return isPublicAddress(mapped);
  return /^[23]/.test(address) && !inside.check(address, "ipv6");
}

/** That of https, or one that no system service owns: else the tool could be made to knock at mail servers. */
function isWebPort(port: string): boolean {
  return port === "" || Number(port) >= 1024;
}

/**
 * Checks an address of an LMS or an administrator: https, no user name, no private IP literal, no system port. `URL`
 * has turned spellings such as 0x7f.1 or 2130706433 into plain IP addresses.
 * @param allowPrivate Development: also http, loopback and private addresses.
 * @param what Names the address in the error, as in "The token address".
 * @throws NamedError "bad-address"
 */
export function outsideAddress(address: string, allowPrivate: boolean, what: string): URL {
  const url = URL.parse(address);
  const bad = (fault: string) => refusal("bad-address", { values: { what, fault }, status: 400 });
  if (url === null || !/^https?:$/.test(url.protocol)) throw bad("is not a full web address");
  if (url.username !== "" || url.password !== "") throw bad("must not hold a user name or password");
  if (allowPrivate) return url;
  if (url.protocol !== "https:") throw bad("must begin with https://");
  if (!isWebPort(url.port)) throw bad("must use the port of https or one above 1023");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if ((isIP(host) !== 0 && !isPublicAddress(host)) || /(^|\.)localhost\.?$/i.test(host)) {
    throw bad("must be on the public internet");
  }
  return url;
}
