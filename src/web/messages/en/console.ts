/** The operator's console. */
export const console = {};
