import { recordModel } from "./record-model.ts";
import { tallyRecord } from "../modules/operations/rules/records.ts";
import type { Connection } from "mongoose";
import { retriedOnDuplicate } from "./duplicate-key.ts";
import { tallyDelayMs } from "./limits.ts";

/** How many records there are of one kind, kept as it changes. */
export type Tally = {
  /** More, or fewer (negative). Cheap: written later, for many at a time. */
  moved: (records: number) => void;
  /** Counts only the first time. */
  read: () => Promise<number>;
};

export type TallyStore = ReturnType<typeof createTallyStore>;

const opened = new WeakMap<Connection, TallyStore>();

/** One for each process and connection, as the stores share unwritten changes. */
export function talliesOf(connection: Connection): TallyStore {
  const known = opened.get(connection) ?? createTallyStore(connection);
  opened.set(connection, known);
  return known;
}

/** For kinds that only grow, where counting takes ever longer. `recount` corrects after kills and erasures. */
function createTallyStore(connection: Connection) {
  const model = recordModel(connection, tallyRecord);
  const counters = new Map<string, () => Promise<number>>();
  const pending = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const add = (name: string, records: number): Promise<unknown> =>
    retriedOnDuplicate(() =>
      model.updateOne(
        { _id: name },
        { $inc: { count: records }, $setOnInsert: { _id: name, counted: false } },
        { upsert: true },
      ),
    );
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    for (const [name, records] of [...pending]) {
      pending.delete(name);
      if (records !== 0) await add(name, records);
    }
  };
  const note = (name: string, records: number): void => {
    if (records === 0) return;
    pending.set(name, (pending.get(name) ?? 0) + records);
    // Lost when the store is away just then, or closed: the next count puts it right.
    timer ??= setTimeout(() => {
      flush().catch(() => undefined);
    }, tallyDelayMs).unref();
  };
  /** Adds the difference, so that concurrent changes stay. @returns by how much it was wrong. */
  const count = async (name: string, counter: () => Promise<number>): Promise<number> => {
    await flush();
    const known = (await model.findOne({ _id: name }).lean())?.count ?? 0;
    const wrong = (await counter()) - known;
    await add(name, wrong);
    await model.updateOne({ _id: name }, { $set: { counted: true } });
    return wrong;
  };
  const read = async (name: string, counter: () => Promise<number>): Promise<number> => {
    const row = await model.findOne({ _id: name }).lean();
    if (row?.counted === true) return Math.max(0, row.count + (pending.get(name) ?? 0));
    await count(name, counter);
    return (await model.findOne({ _id: name }).lean())?.count ?? 0;
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
    /** Called before the process ends. */
    flush,
    /** Counts everything anew. @returns how much was wrong in all. */
    recount: async (): Promise<number> => {
      let wrong = 0;
      for (const [name, counter] of counters) wrong += Math.abs(await count(name, counter));
      return wrong;
    },
  };
}
