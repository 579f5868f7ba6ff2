import manifest from "../../package.json" with { type: "json" };

/** The version in package.json, and the version of Node. */
export function describeBuild(): { version: string; node: string } {
  return { version: manifest.version, node: process.versions.node };
}

/** Names this tool in the logs of an LMS or the classroom. The address leads to the installation's security.txt, which has a contact. */
export function userAgentOf(publicUrl?: string): string {
  return `${manifest.name}/${manifest.version}${publicUrl === undefined ? "" : ` (+${publicUrl})`}`;
}
