/**
 * Where the navigation of a course's page leads: its tabs, and what stands under "More" as well, for a screen without room for
 * them all.
 */
export function areasOf(page: { text: string }): { tabs: string[]; more: string[] } {
  const nav = /<nav class="areas[\s\S]*?<\/nav>/.exec(page.text)?.[0] ?? "";
  const [tabs = "", more = ""] = nav.split(/<li class="more[^"]*">/);
  return { tabs: areasIn(tabs), more: areasIn(more) };
}

function areasIn(html: string): string[] {
  return [...html.matchAll(/(?:href|action)="\/c\/[\w-]+([^"]+)"/g)].map(([, area = ""]) => area);
}
