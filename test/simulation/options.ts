import { z } from "zod";
import { readOptions } from "../../sandbox/command-line.ts";

/** What may go wrong during the story. */
const troubles = ["kills", "network", "webhooks", "pauses", "clocks", "lies", "busy"] as const;
export type TroubleName = (typeof troubles)[number];

const count = (least: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, "must be a whole number")
    .transform(Number)
    .refine((number) => number >= least, `must be ${least} or more`);
export const command = "npm run simulate --";
export const options = readOptions(
  command,
  z.object({
    seed: count(0).prefault("1").describe("the first seed"),
    classes: count(1)
      .prefault("1")
      .describe("how many seeds: each has a new world, with one class in each course"),
    terms: count(0)
      .prefault("0")
      .describe("in place of classes, how many seeds: each with a term in each course"),
    weeks: count(3).prefault("5").describe("weeks of a term, a class of each course in each"),
    courses: count(1).prefault("2").describe("courses of a world"),
    learners: count(1).prefault("4").describe("learners of a course"),
    instances: count(1).prefault("3").describe("instances of the tool"),
    trouble: z
      .string()
      .prefault(troubles.join(","))
      .transform((text) => text.split(",").filter((name) => name !== ""))
      .pipe(z.array(z.enum(troubles, { error: `must be among ${troubles.join(",")}, or empty` })))
      .describe("what goes wrong"),
    requests: z.boolean().default(false).describe("prints every request"),
  }),
);

export const isTerm = options.terms > 0;
