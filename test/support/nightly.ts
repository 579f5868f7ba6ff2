/** `npm run test:nightly`: every look, language, LMS and kind of browser. The gate takes some of each. */
export const isNightly = process.env["NIGHTLY"] === "1";
/** The first few in the gate, and all at night. */
export const firstInGate = <T>(count: number, all: readonly T[]): readonly T[] =>
  isNightly ? all : all.slice(0, count);
