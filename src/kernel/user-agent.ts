import manifest from "../../package.json" with { type: "json" };

/** Who asks, in the logs of an LMS or the classroom: the release, and where this installation is (its security.txt names a contact). */
export function userAgentOf(publicUrl: string): string {
  return `${manifest.name}/${manifest.version} (+${publicUrl})`;
}
