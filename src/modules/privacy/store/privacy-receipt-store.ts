import type { Connection } from "mongoose";
import { redactedBody } from "../rules/erasure.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";

type ReceiptRow = { _id: string; environment: EnvironmentName; digest: string; body: string; state: string };
/** A webhook's body, to be looked through. */
export type ReceiptBody = Pick<ReceiptRow, "digest" | "body"> & { id: string };
export type PrivacyReceiptStore = ReturnType<typeof createPrivacyReceiptStore>;

/** Bodies of webhooks, for those who look for a person in them: no index finds one. Opened after the receipt store. */
export function createPrivacyReceiptStore(connection: Connection) {
  const rows = connection.collection<ReceiptRow>(connection.model("Receipt").collection.collectionName);
  return {
    /** Bodies in the order of their digests, which an index has. */
    listBodies: async (
      environment: EnvironmentName,
      after: string,
      limit: number,
    ): Promise<ReceiptBody[]> => {
      const found = await rows
        .find(
          { environment, digest: { $gt: after } },
          { projection: { digest: 1, body: 1 }, sort: { digest: 1 }, limit },
        )
        .toArray();
      return found.map(({ _id, digest, body }) => ({ id: _id, digest, body }));
    },
    /** Replaces bodies; the digest stays, so that the same webhook is still known when it comes again. */
    redact: async (ids: readonly string[]): Promise<void> => {
      const undone = ["waiting", "asking", "again", "unmatched", "failed"];
      const bytes = "";
      const emptied = { body: redactedBody, reason: null, waitsFor: null, waitsForUser: null };
      const ofThese = { _id: { $in: [...ids] } };
      await rows.updateMany(
        { ...ofThese, state: { $in: undone } },
        { $set: { ...emptied, state: "kept" }, $unset: { bytes } },
      );
      await rows.updateMany(ofThese, { $set: emptied, $unset: { bytes } });
    },
    /** Writes another body; without effect when it is not the one that was read. */
    rewrite: async ({ id, body }: Pick<ReceiptBody, "id" | "body">, to: string): Promise<void> => {
      await rows.updateOne({ _id: id, body }, { $set: { body: to }, $unset: { bytes: "" } });
    },
  };
}
