/** Deep linking: choosing what a link opens. */
export const choose = {};
