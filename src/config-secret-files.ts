import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Every variable whose value is a secret, or may hold one; each may be named as a file instead, with `_FILE` behind its name. */
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

/** Far above any secret: a file that is larger is another one than was meant. */
const maxFileBytes = 16_384;

/** What is known of the environment once files of secrets have been read. */
export type ReadSecrets = ReturnType<typeof readSecretFiles>;

/** Reads the files that `..._FILE` names, such as those of Docker and Kubernetes, each once. */
export function readSecretFiles(variables: Readonly<Record<string, string | undefined>>) {
  const given: Record<string, string | undefined> = { ...variables };
  /** One line a problem, which begins with the variable and repeats no content. */
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
  /** Problems of values, without those of variables whose file could not be read; a value's file is named. */
  const of = (found: readonly string[]) =>
    found
      .map((problem) => [problem.split(" ", 1)[0] ?? "", problem] as const)
      .filter(([name]) => !unread.has(name))
      .map(([name, problem]) =>
        fromFile.has(name) ? problem.replace(name, `${name} (from ${name}_FILE)`) : problem,
      );
  return { given, problems, of };
}

/** @returns what is wrong with the file, as the end of a sentence; null when its content is in `given` now. */
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
  // Editors and `echo` end a file with a line break, which belongs to no secret.
  const value = text.replace(/(?<![\r\n])[\r\n]+$/, "");
  if (value.trim() === "") return "is empty";
  given[name] = value;
  return null;
}

/** @returns the content, or why it was not read. @throws what the file system says. */
function readSmallFile(path: string): Buffer | string {
  // Without waiting: opening a pipe without a writer would hold up the start forever.
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

/** The system's words name the path, which could be the secret itself where it was put into the wrong variable. */
function reasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
  return reasons[code] ?? `error ${code}`;
}
