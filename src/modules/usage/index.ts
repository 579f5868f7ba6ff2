import type { App } from "../../app.ts";
import type { Module } from "../../module.ts";
import { countUsage } from "./count-usage.ts";

export function createUsage(app: App): Module {
  return { jobs: [{ name: "count-usage", at: "23 1 * * *", run: () => countUsage(app) }] };
}
