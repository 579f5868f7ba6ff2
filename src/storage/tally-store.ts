import { openRecords } from "./records.ts";
import { tallyRecord } from "../modules/operations/rules/records.ts";
import type { Connection } from "mongoose";
import { tallyDelayMs } from "./limits.ts";

/** How many records of one kind there are, updated as it changes. */
export type Tally = {
  /** Notes that there are more, or fewer (negative). Cheap, because many changes are written together, later. */
  moved: (records: number) => void;
  /** Counts only the first time. */
  read: () => Promise<number>;
};

export type TallyStore = ReturnType<typeof createTallyStore>;

const opened = new WeakMap<Connection, TallyStore>();

/** One for each process and connection, because the stores share unwritten changes. */
export function talliesOf(connection: Connection): TallyStore {
  const known = opened.get(connection) ?? createTallyStore(connection);
  opened.set(connection, known);
  return known;
}

/** For kinds that only grow, where counting takes ever longer. `recount` corrects it after kills and erasures. */
function createTallyStore(connection: Connection) {
  const tallies = openRecords(connection, tallyRecord);
  const counters = new Map<string, () => Promise<number>>();
  const pending = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const add = (name: string, records: number) =>
    tallies.save({ _id: name }, { $inc: { count: records }, $setOnInsert: { _id: name, counted: false } });
  const turns = new Map<string, Promise<unknown>>();
  /** One change at a time for each count, because a number under way is neither in the store nor pending. */
  const inTurn = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const done = (turns.get(name) ?? Promise.resolve()).then(work);
    turns.set(
      name,
      done.catch(() => undefined),
    );
    return done;
  };
  const write = async (name: string): Promise<void> => {
    const records = pending.get(name) ?? 0;
    pending.delete(name);
    if (records !== 0) await add(name, records);
  };
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    for (const name of Array.from(pending.keys())) await inTurn(name, () => write(name));
  };
  const note = (name: string, records: number): void => {
    if (records === 0) return;
    pending.set(name, (pending.get(name) ?? 0) + records);
    // Lost if the store is away just then, or closed. The next count corrects it.
    timer ??= setTimeout(() => {
      flush().catch(() => undefined);
    }, tallyDelayMs).unref();
  };
  /** Adds the difference, so concurrent changes stay. @returns how wrong it was. */
  const count = async (name: string, counter: () => Promise<number>) =>
    inTurn(name, async () => {
      await write(name);
      const known = (await tallies.row({ _id: name }))?.count ?? 0;
      const wrong = (await counter()) - known;
      await add(name, wrong);
      await tallies.change({ _id: name }, { $set: { counted: true } });
      return wrong;
    });
  const stored = (name: string) =>
    inTurn(name, async () => {
      const row = await tallies.row({ _id: name });
      return row?.counted === true ? Math.max(0, row.count + (pending.get(name) ?? 0)) : null;
    });
  const read = async (name: string, counter: () => Promise<number>): Promise<number> => {
    const known = await stored(name);
    if (known !== null) return known;
    await count(name, counter);
    return (await stored(name)) ?? 0;
  };

  return {
    /** @param counter Counts the records, the first time and once a day. */
    of: (name: string, counter: () => Promise<number>): Tally => {
      counters.set(name, counter);
      return {
        moved: (records) => {
          note(name, records);
        },
        read: () => read(name, counter),
      };
    },
    /** Call it before the process ends. */
    flush,
    /** Counts everything again. @returns how wrong all counts were together. */
    recount: async (): Promise<number> => {
      let wrong = 0;
      for (const [name, counter] of counters) wrong += Math.abs(await count(name, counter));
      return wrong;
    },
  };
}
