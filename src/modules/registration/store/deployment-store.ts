import type { RowOf } from "../../../domain/record.ts";
import { plainReads } from "../../../storage/plain-reads.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { type Deployment, deploymentRecord } from "../../../domain/registration.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

/** `decidedAt`: when an administrator accepted or refused it (ms); null when only the policy did. */
export type ListedDeployment = Deployment & { decidedAt: number | null };
type DeploymentRow = RowOf<typeof deploymentRecord>;

export type DeploymentStore = ReturnType<typeof createDeploymentStore>;

/** One for each (registration, deployment id). */
export function createDeploymentStore(connection: Connection) {
  const model = recordModel(connection, deploymentRecord);
  const reads = plainReads(model);

  return {
    /** The stored deployment, or `first`, stored now; the first writer decides. */
    record: async (first: Deployment): Promise<Deployment> => {
      const { registrationId, deploymentId } = first;
      const row =
        (await reads.one({ registrationId, deploymentId })) ??
        (await retriedOnDuplicate(() =>
          model
            .findOneAndUpdate(
              { registrationId, deploymentId },
              {
                $setOnInsert: {
                  _id: `${registrationId} ${deploymentId}`,
                  status: first.status,
                  firstSeenAt: first.firstSeenAt,
                },
              },
              { upsert: true, returnDocument: "after" },
            )
            .lean(),
        ));
      const { decidedAt: _decidedAt, ...deployment } = toDeployment(row);
      return deployment;
    },
    find: async (registrationId: string, deploymentId: string): Promise<Deployment | null> => {
      const row = await reads.one({ registrationId, deploymentId });
      return row === null ? null : toDeployment(row);
    },
    listOf: async (registrationId: string): Promise<ListedDeployment[]> =>
      (await model.find({ registrationId }).sort({ firstSeenAt: 1 }).lean()).map(toDeployment),
    /** The account of its new courses; false for a deployment not seen. */
    setAccount: async (registrationId: string, deploymentId: string, account: AccountId): Promise<boolean> =>
      (await model.updateOne({ registrationId, deploymentId }, { $set: { account } })).matchedCount === 1,
    /** An administrator's decision; false for a deployment not seen. */
    setStatus: async (
      registrationId: string,
      deploymentId: string,
      status: Deployment["status"],
      decidedAt: number | null = null,
    ): Promise<boolean> =>
      (await model.updateOne({ registrationId, deploymentId }, { $set: { status, decidedAt } }))
        .matchedCount === 1,
  };
}

function toDeployment({ _id, decidedAt = null, ...deployment }: DeploymentRow): ListedDeployment {
  return { ...deployment, decidedAt };
}
