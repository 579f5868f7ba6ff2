/** Pages that carry a launch through a browser that keeps no cookies. */
export const browser = {};
