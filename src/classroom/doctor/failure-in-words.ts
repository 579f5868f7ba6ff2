export function failureInWords(reason: string, url: string): { message: string; todo: string } {
  const { host, hostname } = new URL(url);
  const certificate = certificates[reason];
  if (certificate !== undefined) {
    return {
      message: `The certificate of ${host} ${certificate} (${reason}).`,
      todo: "Whoever runs it must mend the certificate; a private authority is named to Node.js with NODE_EXTRA_CA_CERTS.",
    };
  }
  return (
    {
      ENOTFOUND: {
        message: `There is no host ${hostname}.`,
        todo: "Check the spelling of the address, and this machine's DNS.",
      },
      EAI_AGAIN: {
        message: `The name ${hostname} could not be looked up.`,
        todo: "Check this machine's DNS.",
      },
      ECONNREFUSED: {
        message: `Nothing listens at ${host} (connection refused).`,
        todo: "Check the port in the address, and whether the service is running.",
      },
      "timed out": {
        message: `${host} takes the connection but does not answer in time.`,
        todo: "Check firewalls and proxies on the way; then ask whoever runs the service.",
      },
      UND_ERR_CONNECT_TIMEOUT: {
        message: `No connection to ${host} in time.`,
        todo: "Check firewalls and proxies on the way: outgoing https must be allowed.",
      },
      "out of time": {
        message: `The doctor's time was over before ${host} could be asked.`,
        todo: "The tool may be using all of the key's calls right now; run the doctor again later.",
      },
    }[reason] ?? {
      message: `${host} could not be asked (${reason}).`,
      todo: "Check that the address is right and speaks http or https as written.",
    }
  );
}

const certificates: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "has expired",
  CERT_NOT_YET_VALID: "is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "is signed by nobody but itself",
  SELF_SIGNED_CERT_IN_CHAIN: "comes from an authority this machine does not know",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "cannot be verified: an intermediate certificate is missing",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "comes from an authority this machine does not know",
  ERR_TLS_CERT_ALTNAME_INVALID: "is for another name",
};
