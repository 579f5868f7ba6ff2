import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import {
  type Deployment,
  deploymentRecord,
  type OptionalStep,
  type Registration,
  registrationRecord,
  type SameAs,
} from "../../../domain/registration.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { isDuplicateKey, retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { plainReads } from "../../../storage/plain-reads.ts";
import { recordModel } from "../../../storage/record-model.ts";

type RegistrationRow = RowOf<typeof registrationRecord>;

export type RegistrationStore = ReturnType<typeof createRegistrationStore>;

/**
 * One for each (issuer, client id), never overwritten. After "same LMS" the earlier registration is found with its own
 * id and settings and the later one's client id and addresses; the earlier client id leads nowhere.
 */
export function createRegistrationStore(connection: Connection) {
  const model = recordModel(connection, registrationRecord);
  const reads = plainReads(model);

  /** With the client id and addresses it is reached by. */
  const presented = async (row: RegistrationRow | null): Promise<Registration | null> => {
    if (row === null) return null;
    const home = row.sameAs == null ? row : await reads.one({ _id: row.sameAs.registrationId });
    if (home === null) return null;
    if (home.reachedBy == null) return toRegistration(home);
    return reachedThrough(home, await reads.one({ _id: home.reachedBy }));
  };
  /** Each LMS once, whatever it was registered as before. */
  const presentedAll = async (rows: readonly RegistrationRow[]): Promise<Registration[]> => {
    const all: Registration[] = [];
    for (const row of rows.filter(({ sameAs }) => sameAs == null)) {
      const one = await presented(row);
      if (one !== null) all.push(one);
    }
    return all;
  };

  return {
    /** @throws NamedError "registration-exists" when this issuer and client id are known already. */
    insert: async ({ id, ...facts }: Registration): Promise<void> => {
      try {
        await model.create({ _id: id, ...facts });
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
        throw refusal("registration-exists", {
          status: 409,
          details: { issuer: facts.issuer, clientId: facts.clientId },
        });
      }
    },
    find: async (id: string): Promise<Registration | null> => presented(await reads.one({ _id: id })),
    /** Null also for a client id that was replaced by a later one. */
    findByClient: async (issuer: string, clientId: string): Promise<Registration | null> => {
      const found = await presented(await reads.one({ issuer, clientId }));
      return found?.clientId === clientId ? found : null;
    },
    listByIssuer: async (issuer: string): Promise<Registration[]> =>
      presentedAll(await reads.all({ issuer })),
    /** Of any issuer. */
    listByClient: async (clientId: string): Promise<Registration[]> =>
      (await model.find({ clientId }).lean()).map(toRegistration),
    /** Oldest first. */
    list: async (): Promise<Registration[]> =>
      presentedAll(await model.find({}).sort({ createdAt: 1 }).lean()),
    /** The registration that this one continues, or is about to; null for none. */
    sameAs: async (id: string): Promise<{ done: boolean; as: SameAs } | null> => {
      const row = await model.findOne({ _id: id }).lean();
      if (row?.sameAs != null) return { done: true, as: row.sameAs };
      return row?.becoming == null ? null : { done: false, as: row.becoming };
    },
    /** Switches a registration off until it has become another one; no effect afterwards. */
    becomes: async (id: string, as: SameAs): Promise<void> => {
      await model.updateOne({ _id: id, sameAs: null }, { $set: { becoming: as, active: false } });
      // The earlier client id leads nowhere from here on, so that nothing is written while records move.
      await model.updateOne({ _id: as.registrationId }, { $set: { reachedBy: id } });
    },
    /** In one step launches find the earlier registration's courses. */
    hasBecome: async (id: string, as: SameAs): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { sameAs: as, active: true }, $unset: { becoming: "" } });
    },
    /** False when unknown. */
    setActive: async (id: string, active: boolean): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { active } })).matchedCount === 1,
    /** Whether the LMS's administrators see their part of the console; false for an unknown registration. */
    setAdministratorsEnter: async (id: string, administratorsEnter: boolean): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { administratorsEnter } })).matchedCount === 1,
    /**
     * Stores the LMS's product name and the family learnt from it; of concurrent callers one gets true.
     * @param before As it was read: when it was changed since, nothing is written.
     */
    saveProduct: async (
      before: Registration,
      { family, product }: Pick<Registration, "family" | "product">,
    ): Promise<boolean> => {
      const seen = { _id: before.id, family: before.family, product: before.product ?? null };
      const unchanged = { ...seen, familyFrom: before.familyFrom ?? null };
      return (await model.updateOne(unchanged, { $set: { family, product } })).modifiedCount === 1;
    },
    /** The operator's choice; null leaves it to what the LMS says. */
    setFamily: async (
      id: string,
      family: Registration["family"],
      familyFrom: "operator" | null,
    ): Promise<boolean> => {
      const update =
        familyFrom === null
          ? { $set: { family }, $unset: { familyFrom: "" } }
          : { $set: { family, familyFrom } };
      return (await model.updateOne({ _id: id }, update)).matchedCount === 1;
    },
    /** Audiences that tokens may have beside us; false for an unknown registration. */
    setTrustedAudiences: async (id: string, trustedAudiences: readonly string[]): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { trustedAudiences: [...trustedAudiences] } }))
        .matchedCount === 1,
    /** The account of its new courses; false for an unknown registration. */
    setAccount: async (id: string, account: AccountId): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { account } })).matchedCount === 1,
    /** An administrator's answer to a step of the set-up; null takes it back. */
    markSetUp: async (id: string, step: OptionalStep, mark: "done" | "skipped" | null): Promise<void> => {
      const field = `setUpMarks.${step}`;
      await model.updateOne(
        { _id: id },
        mark === null ? { $unset: { [field]: "" } } : { $set: { [field]: mark } },
      );
    },
    /** Whether unseen deployments are accepted; false for an unknown registration. */
    setNewDeployments: async (id: string, newDeployments: Registration["newDeployments"]): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { newDeployments } })).matchedCount === 1,
  };
}

const toRegistration = readerOf(registrationRecord);

function reachedThrough(home: RegistrationRow, by: RegistrationRow | null): Registration {
  const registration = toRegistration(home);
  if (by === null) return registration;
  const { issuer, clientId, authorizationUrl, tokenUrl, jwksUrl, tokenAudience } = by;
  const connection = { issuer, clientId, authorizationUrl, tokenUrl, jwksUrl, tokenAudience };
  const renamedDeployments = by.sameAs?.deployments ?? by.becoming?.deployments ?? [];
  return { ...registration, ...connection, active: registration.active && by.active, renamedDeployments };
}

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
