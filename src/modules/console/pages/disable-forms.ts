const posted = /(<form\b[^>]*\bmethod="post"[^>]*>)([\s\S]*?)(<\/form>)/g;

/** Forms that change nothing but the reader's own session. */
const harmless = ['action="/admin/log-out"', 'action="/admin/search"'];

/** A page of ours whose forms that are posted cannot be sent, but the log-out's and the search. */
export function disableForms(page: string): string {
  return page.replace(posted, (form: string, begin: string, inner: string, end: string) =>
    harmless.some((action) => begin.includes(action))
      ? form
      : `${begin}<fieldset disabled>${inner}</fieldset>${end}`,
  );
}
