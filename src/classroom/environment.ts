import type { EnvironmentName } from "../domain/registration.ts";

export type ClassroomEnvironment = {
  name: EnvironmentName;
  /** Without a trailing slash. */
  baseUrl: string;
  /** Serves Spaces; without a trailing slash. */
  appUrl: string;
  apiKey: string;
  /** The current secret, and the previous one during a rotation. */
  webhookSecrets: readonly string[];
};

export type ClassroomEnvironments = Readonly<Partial<Record<EnvironmentName, ClassroomEnvironment>>>;

export type ClassroomConfig = {
  /** Where the service reaches this tool; the doctor tries it. */
  publicUrl: string;
  environments: ClassroomEnvironments;
  /** See `readDialect`. */
  dialectFile: string | undefined;
};
