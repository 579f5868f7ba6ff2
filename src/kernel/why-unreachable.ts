const certificateUnknown =
  "its certificate is of an unknown authority; if that is your own, name it in NODE_EXTRA_CA_CERTS";
const certificateIncomplete =
  "its certificate comes without the ones between it and its authority, or of an unknown authority";

const words: ReadonlyMap<string, string> = new Map([
  ["ENOTFOUND", "its name is not known"],
  ["EAI_AGAIN", "its name cannot be looked up now"],
  ["ECONNREFUSED", "it refuses connections"],
  ["ECONNRESET", "it ended the connection"],
  ["EPIPE", "it ended the connection"],
  ["UND_ERR_SOCKET", "it ended the connection"],
  ["ETIMEDOUT", "no connection in time"],
  ["UND_ERR_CONNECT_TIMEOUT", "no connection in time"],
  ["timed out", "no answer in time"],
  ["EHOSTUNREACH", "no route leads there"],
  ["ENETUNREACH", "no route leads there"],
  ["EPRIVATE", "its name leads to a private address"],
  ["ERR_PROXY_TUNNEL", "the outgoing proxy lets nothing through to it"],
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["CERT_NOT_YET_VALID", "its certificate is not valid yet"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", certificateUnknown],
  ["SELF_SIGNED_CERT_IN_CHAIN", certificateUnknown],
  ["UNABLE_TO_GET_ISSUER_CERT", certificateUnknown],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", certificateUnknown],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", certificateIncomplete],
  ["EPROTO", "it does not speak TLS there, or not as we do"],
]);

/** Why a server could not be reached, for operators. @param code The system's, or "timed out". */
export function whyUnreachable(code: string): string {
  const why = words.get(code);
  return why === undefined || code === "timed out" ? (why ?? code) : `${why}, ${code}`;
}

/** The system's code of an error, which fetch hides in its cause; null without one. An error's text may quote an address or a key. */
export function systemCodeOf(thrown: unknown): string | null {
  if (!(thrown instanceof Error)) return null;
  if (thrown.name === "TimeoutError") return "timed out";
  const cause = systemCodeOf(thrown.cause);
  if (cause !== null) return cause;
  return "code" in thrown && typeof thrown.code === "string" ? thrown.code : null;
}
