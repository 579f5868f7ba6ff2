import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Long matrices in the browser run with `npm run check`, or THOROUGH=1 npm test.
    exclude: process.env.THOROUGH === "1" ? [] : ["test/**/*.thorough.test.ts"],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // What is awaited may take long on a shared machine; nothing is proven by a second.
    expect: { poll: { timeout: 30_000, interval: 50 } },
    // Stories start whole tools and browsers; much of their time is waiting, so two cores hold three.
    maxWorkers: 3,
    reporters: ["default"],
  },
});
