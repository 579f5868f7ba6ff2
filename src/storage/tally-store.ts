import { recordModel } from "./record-model.ts";
import { tallyRecord } from "../modules/operations/rules/records.ts";
import type { Connection } from "mongoose";
import { retriedOnDuplicate } from "./duplicate-key.ts";
import { tallyDelayMs } from "./limits.ts";

/** How many records there are of one kind, kept as it changes. */
export type Tally = {
  /** So many more, or fewer (negative). Costs nothing: it is written down later, for many at a time. */
  moved: (records: number) => void;
  /** How many, without counting where that was done once. */
  read: () => Promise<number>;
};

export type TallyStore = ReturnType<typeof createTallyStore>;

const opened = new WeakMap<Connection, TallyStore>();

/** The tallies of a connection: one for each process, for its stores share what is not written down yet. */
export function talliesOf(connection: Connection): TallyStore {
  const known = opened.get(connection) ?? createTallyStore(connection);
  opened.set(connection, known);
  return known;
}

/**
 * How many records there are of kinds that only grow: counting those takes the longer the older a tool is. What a killed process
 * had not written down is missing, and erasures go past this: `recount` puts it right, once a day.
 */
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
  /** By the difference, so that what others write down meanwhile stays. @returns by how much it was wrong. */
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
    /** A tally. @param counter Counts the records; called when nobody has done so yet, and once a day. */
    of: (name: string, counter: () => Promise<number>): Tally => {
      counters.set(name, counter);
      return {
        moved: (records) => {
          note(name, records);
        },
        read: () => read(name, counter),
      };
    },
    /** Writes down what this process knows; to be called before it ends. */
    flush,
    /** Counts everything anew. @returns how much was wrong in all. */
    recount: async (): Promise<number> => {
      let wrong = 0;
      for (const [name, counter] of counters) wrong += Math.abs(await count(name, counter));
      return wrong;
    },
  };
}
