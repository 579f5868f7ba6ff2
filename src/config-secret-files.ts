import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Every variable that is, or may contain, a secret. Each can be replaced by the name of a file, in a variable with `_FILE` at its end. */
export const secretNames = [
  "SECRET_KEY",
  "SECRET_KEY_PREVIOUS",
  "ADMIN_PASSWORD",
  "METRICS_TOKEN",
  "OIDC_CLIENT_SECRET",
  "DATABASE_URL",
  "SMTP_URL",
  ...["CLASSROOM_", "CLASSROOM_STAGING_"].flatMap((prefix) =>
    ["API_KEY", "WEBHOOK_SECRET", "WEBHOOK_SECRET_PREVIOUS"].map((name) => prefix + name),
  ),
];

/** Far more than any secret needs. A larger file is the wrong file. */
const maxFileBytes = 16_384;

/** The environment after the files of secrets were read. */
export type ReadSecrets = ReturnType<typeof readSecretFiles>;

/** Reads the files that `..._FILE` variables name, such as those of Docker and Kubernetes, each once. */
export function readSecretFiles(variables: Readonly<Record<string, string | undefined>>) {
  const given: Record<string, string | undefined> = { ...variables };
  /** One line for each problem. It begins with the variable and doesn't repeat content. */
  const problems: string[] = [];
  const unread = new Set<string>();
  const fromFile = new Set<string>();
  for (const name of secretNames) {
    const path = variables[`${name}_FILE`];
    if (path === undefined) continue;
    const problem =
      variables[name] === undefined
        ? readInto(given, name, path)
        : `and ${name} are both set; keep one of them (an empty ${name}= counts as not set)`;
    if (problem === null) fromFile.add(name);
    else {
      given[name] = undefined;
      unread.add(name);
      problems.push(`${name}_FILE ${problem}`);
    }
  }
  /** Keeps problems of values, except for variables whose file couldn't be read. Names the file that a value came from. */
  const of = (found: readonly string[]) =>
    found
      .map((problem) => [problem.split(" ", 1)[0] ?? "", problem] as const)
      .filter(([name]) => !unread.has(name))
      .map(([name, problem]) =>
        fromFile.has(name) ? problem.replace(name, `${name} (from ${name}_FILE)`) : problem,
      );
  return { given, problems, of };
}

/** @returns what is wrong with the file, as the end of a sentence; null if its content is now in `given`. */
function readInto(given: Record<string, string | undefined>, name: string, path: string): string | null {
  let bytes: Buffer | string;
  try {
    bytes = readSmallFile(path);
  } catch (thrown) {
    return `cannot be read: ${reasonOf(thrown)}`;
  }
  if (typeof bytes === "string") return bytes;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "is not a text file (UTF-8)";
  }
  // Editors and `echo` end a file with a line break, which is never part of a secret.
  const value = text.replace(/(?<![\r\n])[\r\n]+$/, "");
  if (value.trim() === "") return "is empty";
  given[name] = value;
  return null;
}

/** @returns the content, or why it wasn't read. @throws the file system's error. */
function readSmallFile(path: string): Buffer | string {
  // Doesn't block: opening a pipe that has no writer would stop the start forever.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) return "is not a file";
    const bytes = Buffer.alloc(maxFileBytes + 1);
    const length = readSync(file, bytes);
    return length > maxFileBytes ? `is larger than ${maxFileBytes / 1024} kB` : bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "the tool's user may not read it",
  ENOTDIR: "there is no such file",
};

/** The system's message names the path, which could be the secret itself if somebody set the wrong variable. */
function reasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
  return reasons[code] ?? `error ${code}`;
}
