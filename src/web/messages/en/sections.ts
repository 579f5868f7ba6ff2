/** People, sections and the roster. */
export const sections = {};
