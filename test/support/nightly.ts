/** `npm run test:nightly`: every screen, language, LMS and kind of browser. The gate takes some of each. */
export const isNightly = process.env["NIGHTLY"] === "1";
/** Only the first few in the gate, and all in nightly runs. */
export const firstInGate = <T>(count: number, all: readonly T[]): readonly T[] =>
  isNightly ? all : all.slice(0, count);
