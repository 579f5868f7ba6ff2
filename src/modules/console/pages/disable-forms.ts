/** Forms that change nothing but the reader's own session. */
const harmless = ['action="/admin/log-out"', 'action="/admin/search"'];

/** A page of ours whose forms that are posted cannot be sent, but the log-out's and the search. */
export function disableForms(page: string): string {
  return page.split("</form>").map(disableForm).join("</form>");
}

/** @param part Of a page, up to a form's end: there is at most one in it. */
function disableForm(part: string): string {
  const [begin] = /<form\b[^<>]*>/.exec(part) ?? [];
  if (begin === undefined || !begin.includes('method="post"')) return part;
  if (harmless.some((action) => begin.includes(action))) return part;
  return `${part.replace(begin, () => `${begin}<fieldset disabled>`)}</fieldset>`;
}
