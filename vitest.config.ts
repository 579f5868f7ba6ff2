import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Stories start whole tools and browsers, but wait for the classroom's four calls a second half of their time.
    maxWorkers: 3,
    reporters: ["default"],
  },
});
