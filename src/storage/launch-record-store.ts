import { type Connection, Schema } from "mongoose";

/** What we remember between sending a browser to the LMS and its coming back. */
type LaunchRecord = {
  /** The `state` parameter; names the record. */
  state: string;
  nonce: string;
  registrationId: string;
  issuer: string;
  clientId: string;
  targetLinkUri: string;
  /** SHA-256 of the value in this browser's state cookie. */
  browserHash: string;
  /** `lti_storage_target` of the login request, for browsers that keep no cookie for us. */
  storageTarget: string | null;
  createdAt: number;
  /** Milliseconds since the epoch. */
  expiresAt: number;
};
type LaunchRecordRow = Omit<LaunchRecord, "state" | "expiresAt"> & { _id: string; expiresAt: Date };

export type LaunchRecordStore = ReturnType<typeof createLaunchRecordStore>;

/** Launches under way: single use, ten minutes at most. */
export function createLaunchRecordStore(connection: Connection) {
  const schema = new Schema<LaunchRecordRow>(
    {
      _id: { type: String, required: true },
      nonce: { type: String, required: true },
      registrationId: { type: String, required: true },
      issuer: { type: String, required: true },
      clientId: { type: String, required: true },
      targetLinkUri: { type: String, required: true },
      browserHash: { type: String, required: true },
      storageTarget: { type: String, default: null },
      createdAt: { type: Number, required: true },
      expiresAt: { type: Date, required: true },
    },
    { versionKey: false, minimize: false },
  );
  // Only tidies up: MongoDB sweeps about once a minute, so every read compares the time as well.
  schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  const model = connection.model<LaunchRecordRow>("LaunchRecord", schema);
  const rows = connection.collection<LaunchRecordRow>(model.collection.collectionName);

  return {
    insert: async ({ state, expiresAt, ...facts }: LaunchRecord): Promise<void> => {
      // Without a mongoose document in between: its defaults and casts have nothing to do here.
      await rows.insertOne({ _id: state, expiresAt: new Date(expiresAt), ...facts });
    },
    /** A record that is neither used nor expired. */
    find: async (state: string, now: number): Promise<LaunchRecord | null> =>
      live(await model.findOne({ _id: state }).lean(), now),
    /** Removes the record and returns it, in one step: of all concurrent callers exactly one gets it. */
    consume: async (state: string, now: number): Promise<LaunchRecord | null> =>
      live(await model.findOneAndDelete({ _id: state }).lean(), now),
  };
}

function live(row: LaunchRecordRow | null, now: number): LaunchRecord | null {
  if (row === null || row.expiresAt.getTime() <= now) return null;
  const { _id, expiresAt, ...facts } = row;
  return { state: _id, expiresAt: expiresAt.getTime(), ...facts };
}
