/** Whose name stands on changes made in the host controls. */
export const hostAccount = "account-of-the-api-key";
