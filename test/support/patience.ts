/** For `vi.waitFor`: long, since it only decides how late a failure is reported, and below a test's own limit. */
export const patience = { timeout: 60_000, interval: 100 };

/** The same if each check loads a page, which is expensive. */
export const patienceOfPages = { ...patience, interval: 1_000 };
