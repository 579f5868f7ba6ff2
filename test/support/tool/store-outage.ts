import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createLogger } from "../../../src/kernel/logger.ts";
import { databaseFileName } from "../../../src/storage/embedded/sqlite-file.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { startFaultyLink } from "../stand-ins/faulty-link.ts";

/** A database of its own that can be made to go away. */
export type MortalStore = {
  databaseUrl: string;
  /** The ways in which it can go away, by name; each begins an outage. */
  outages: ReadonlyMap<string, () => void>;
  /** Ends an outage. */
  end: () => void;
  discard: () => Promise<void>;
};

/** An embedded folder, which another process may lock; or a database of MONGODB_URL behind a line that may fail. */
export async function openMortalStore(): Promise<MortalStore> {
  const server = process.env["MONGODB_URL"];
  return server === undefined ? embedded() : mongodb(server);
}

async function embedded(): Promise<MortalStore> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-outage-"));
  let holder: DatabaseSync | null = null;
  return {
    databaseUrl: `file:${folder}`,
    outages: new Map([
      [
        "locked by another process",
        () => {
          holder = new DatabaseSync(join(folder, databaseFileName), { timeout: 10_000 });
          holder.exec("BEGIN EXCLUSIVE");
        },
      ],
    ]),
    end: () => {
      holder?.close();
      holder = null;
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  };
}

async function mongodb(server: string): Promise<MortalStore> {
  const direct = new URL(server);
  direct.pathname = `/outage_${randomBytes(6).toString("hex")}`;
  const link = await startFaultyLink({ host: direct.hostname, port: Number(direct.port || 27_017) });
  const faulty = new URL(direct);
  faulty.host = `127.0.0.1:${link.port}`;
  faulty.searchParams.delete("replicaSet");
  faulty.searchParams.set("directConnection", "true");
  return {
    databaseUrl: faulty.href,
    outages: new Map([
      ["cut off", link.cut],
      ["silent", link.silence],
    ]),
    end: link.mend,
    discard: async () => {
      const database = await openDatabase({ url: direct.href, logger: createLogger("silent") });
      await database.connection.dropDatabase();
      await database.close();
      await link.close();
    },
  };
}
