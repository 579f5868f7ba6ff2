import type { EnvironmentName } from "../domain/registration.ts";

/** One environment of the classroom service. */
export type ClassroomEnvironment = {
  name: EnvironmentName;
  /** API address without a trailing slash. */
  baseUrl: string;
  /** Address of the web application that serves Spaces, without a trailing slash. */
  appUrl: string;
  apiKey: string;
  /** Accepted webhook secrets: the current one, and the previous one during a rotation. */
  webhookSecrets: readonly string[];
};

export type ClassroomEnvironments = Readonly<Partial<Record<EnvironmentName, ClassroomEnvironment>>>;

/** What the wall reads of the configuration. */
export type ClassroomConfig = {
  /** Where the service reaches this tool; the doctor tries it. */
  publicUrl: string;
  environments: ClassroomEnvironments;
  /** See `readDialect`. */
  dialectFile: string | undefined;
};
