import { z } from "zod";
import type { Course } from "../../../src/domain/course.ts";
import type { Stores } from "../../../src/open-stores.ts";
import { runCli } from "../tool/run-cli.ts";

type Registered = Pick<Stores, "spaceRegister">;

/** An operator approves a Space for a course. */
export async function approveSpaceFor(
  { spaceRegister }: Registered,
  course: Pick<Course, "id" | "registrationId" | "environment">,
  ...spaceIds: readonly string[]
): Promise<void> {
  for (const spaceId of spaceIds) {
    const given = await spaceRegister.allow(course, spaceId, { by: "operator" }, 0);
    if (given !== "allowed") throw new Error(`the Space ${spaceId} is ${given}`);
  }
}

/** A course that has no Space gets one that other courses may share. */
export async function giveSpace(
  stores: Registered & Pick<Stores, "courses">,
  course: Pick<Course, "id" | "registrationId" | "environment">,
  spaceId: string,
): Promise<void> {
  await approveSpaceFor(stores, course, spaceId);
  await stores.courses.replaceSpace(course, null, spaceId);
}

const askedShape = z.object({ requests: z.array(z.object({ spaceId: z.string(), courseId: z.string() })) });

/** An operator approves a Space, on the command line, for every course that requests it. */
export async function approveAsked(variables: Record<string, string>, spaceId: string): Promise<void> {
  const { requests } = askedShape.parse(await runCli(variables, ["spaces", "list"]));
  const asked = requests.filter((request) => request.spaceId === spaceId);
  if (asked.length === 0) throw new Error(`nobody asks for the Space ${spaceId}`);
  for (const { courseId } of asked)
    await runCli(variables, ["spaces", "approve", spaceId, "--course", courseId]);
}
