/** Fails the build when a case of a union was forgotten, and the program when it met one at run time. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}
