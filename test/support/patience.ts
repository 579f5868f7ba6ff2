/** For `vi.waitFor`: long, since it only decides how late a failure is told, and below a test's own limit. */
export const patience = { timeout: 60_000, interval: 100 };

/** The same where each look loads a page, which is dear. */
export const patienceOfPages = { ...patience, interval: 1_000 };
