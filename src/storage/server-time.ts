import type { Connection } from "mongoose";
import { z } from "zod";

const hello = z.object({ localTime: z.date() });

/** The clock of a MongoDB server (ms). */
export async function serverTime(connection: Connection): Promise<number | null> {
  const said = hello.safeParse(await connection.db?.admin().command({ hello: 1 }));
  return said.success ? said.data.localTime.getTime() : null;
}
