import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createLogger } from "../../../src/kernel/logger.ts";
import { databaseFileName } from "../../../src/storage/embedded/sqlite-file.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { startFaultyLink } from "../stand-ins/faulty-link.ts";
import { startMongoServer } from "../stand-ins/mongo-server.ts";

/** A separate database that can be made unreachable. */
export type MortalStore = {
  databaseUrl: string;
  /** Begins an outage. */
  begin: () => void;
  end: () => void;
  discard: () => Promise<void>;
};

/** The ways in which a store can become unreachable. */
export const outages: Readonly<Record<string, () => Promise<MortalStore>>> = {
  "locked by another process": lockedFolder,
  "cut off": () => behindFaultyLink("cut"),
  silent: () => behindFaultyLink("silence"),
};

async function lockedFolder(): Promise<MortalStore> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-outage-"));
  let holder: DatabaseSync | null = null;
  return {
    databaseUrl: `file:${folder}`,
    begin: () => {
      holder = new DatabaseSync(join(folder, databaseFileName), { timeout: 10_000 });
      holder.exec("BEGIN EXCLUSIVE");
    },
    end: () => {
      holder?.close();
      holder = null;
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A database of MONGODB_URL, or if that is not set, of the stand-in for a MongoDB. */
async function behindFaultyLink(fault: "cut" | "silence"): Promise<MortalStore> {
  const given = process.env["MONGODB_URL"];
  const standIn = given === undefined ? await startMongoServer() : null;
  const direct = new URL(given ?? `mongodb://127.0.0.1:${standIn?.port ?? 0}`);
  direct.pathname = `/outage_${randomBytes(6).toString("hex")}`;
  const link = await startFaultyLink({ host: direct.hostname, port: Number(direct.port || 27_017) });
  const faulty = new URL(direct);
  faulty.host = `127.0.0.1:${link.port}`;
  faulty.searchParams.delete("replicaSet");
  faulty.searchParams.set("directConnection", "true");
  return {
    databaseUrl: faulty.href,
    begin: link[fault],
    end: link.mend,
    discard: async () => {
      const database = await openDatabase({ url: direct.href, logger: createLogger("silent") });
      await database.connection.dropDatabase();
      await database.close();
      await link.close();
      await standIn?.close();
    },
  };
}
