import { advice, seen, type Sentence } from "./finding.ts";

/** Why an address gave no answer, and what to do. */
export function failureInWords(
  reason: string,
  url: string,
): { what: Sentence<"seen">; todo: Sentence<"todo"> } {
  const { host, hostname } = new URL(url);
  const certificate = certificates[reason];
  if (certificate !== undefined)
    return { what: seen(certificate, { host, reason }), todo: advice("renew-certificate") };
  return (
    {
      ENOTFOUND: { what: seen("no-host", { host: hostname }), todo: advice("check-spelling") },
      EAI_AGAIN: { what: seen("no-lookup", { host: hostname }), todo: advice("check-dns") },
      ECONNREFUSED: { what: seen("nothing-listens", { host }), todo: advice("check-port") },
      "timed out": { what: seen("no-answer-in-time", { host }), todo: advice("check-way") },
      UND_ERR_CONNECT_TIMEOUT: { what: seen("no-connection", { host }), todo: advice("allow-https") },
      "out of time": { what: seen("out-of-time", { host }), todo: advice("check-later") },
    }[reason] ?? { what: seen("not-asked", { host, reason }), todo: advice("check-address") }
  );
}

const certificates: Readonly<Record<string, Sentence<"seen">["code"]>> = {
  CERT_HAS_EXPIRED: "certificate-expired",
  CERT_NOT_YET_VALID: "certificate-early",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate-self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate-unknown-authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate-incomplete",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate-unknown-authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate-other-name",
};
