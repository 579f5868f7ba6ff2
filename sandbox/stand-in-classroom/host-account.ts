/** The author of changes in the host controls. */
export const hostAccount = "account-of-the-api-key";
