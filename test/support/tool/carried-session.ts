/** What the forms of a page carry from page to page. @throws with the page's text when it is no page of a session */
export function carriedSession({ text }: { text: string }): string {
  const [, session] = /name="session" value="([^"]+)"/.exec(text) ?? [];
  if (session === undefined) throw new Error(`This page carries no session: ${text}`);
  return session;
}
