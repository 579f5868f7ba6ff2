const posted = /(<form\b[^>]*\bmethod="post"[^>]*>)([\s\S]*?)(<\/form>)/g;

/** A page of ours whose forms that are posted cannot be sent, but the log-out's. Forms that only search stay. */
export function disableForms(page: string): string {
  return page.replace(posted, (form: string, begin: string, inner: string, end: string) =>
    begin.includes('action="/admin/log-out"') ? form : `${begin}<fieldset disabled>${inner}</fieldset>${end}`,
  );
}
