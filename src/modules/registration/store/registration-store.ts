import { readerOf, type RowOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type Registration, type SameAs, registrationRecord } from "../../../domain/registration.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

type RegistrationRow = RowOf<typeof registrationRecord>;

export type RegistrationStore = ReturnType<typeof createRegistrationStore>;

/**
 * The LMSs that know this tool, one for each (issuer, client id). A registration is never overwritten. Where an LMS
 * registered the tool anew and somebody said that it is the same, the earlier registration is found with its own id and
 * settings and the later one's client id and addresses; the earlier client id leads nowhere.
 */
export function createRegistrationStore(connection: Connection) {
  const model = recordModel(connection, registrationRecord);

  /** A registration as it is used: with the connection of whom it is reached by. */
  const presented = async (row: RegistrationRow | null): Promise<Registration | null> => {
    if (row === null) return null;
    const home = row.sameAs == null ? row : await model.findOne({ _id: row.sameAs.registrationId }).lean();
    if (home === null) return null;
    if (home.reachedBy == null) return toRegistration(home);
    return reachedThrough(home, await model.findOne({ _id: home.reachedBy }).lean());
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
    find: async (id: string): Promise<Registration | null> =>
      presented(await model.findOne({ _id: id }).lean()),
    /** By whom an LMS is reached now; null also for a client id that was replaced by a later one. */
    findByClient: async (issuer: string, clientId: string): Promise<Registration | null> => {
      const found = await presented(await model.findOne({ issuer, clientId }).lean());
      return found?.clientId === clientId ? found : null;
    },
    listByIssuer: async (issuer: string): Promise<Registration[]> =>
      presentedAll(await model.find({ issuer }).lean()),
    /** Those that have this client id, of whatever issuer. */
    listByClient: async (clientId: string): Promise<Registration[]> =>
      (await model.find({ clientId }).lean()).map(toRegistration),
    /** All of them, oldest first; for the console and the command line. */
    list: async (): Promise<Registration[]> =>
      presentedAll(await model.find({}).sort({ createdAt: 1 }).lean()),
    /** What a registration goes on with, or is about to; null for most. */
    sameAs: async (id: string): Promise<{ done: boolean; as: SameAs } | null> => {
      const row = await model.findOne({ _id: id }).lean();
      if (row?.sameAs != null) return { done: true, as: row.sameAs };
      return row?.becoming == null ? null : { done: false, as: row.becoming };
    },
    /** Switches a registration off until it has become another one; without effect when it has. */
    becomes: async (id: string, as: SameAs): Promise<void> => {
      await model.updateOne({ _id: id, sameAs: null }, { $set: { becoming: as, active: false } });
      // From here on the earlier client id leads nowhere, so that nothing new is written while records move.
      await model.updateOne({ _id: as.registrationId }, { $set: { reachedBy: id } });
    },
    /** In one step launches find the earlier registration's courses. */
    hasBecome: async (id: string, as: SameAs): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { sameAs: as, active: true }, $unset: { becoming: "" } });
    },
    /** Switches a registration on or off; false when it is not known. */
    setActive: async (id: string, active: boolean): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { active } })).matchedCount === 1,
    /** Lets the LMS's administrators into their part of the console, or not; false when it is not known. */
    setAdministratorsEnter: async (id: string, administratorsEnter: boolean): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { administratorsEnter } })).matchedCount === 1,
    /**
     * Writes down what an LMS calls its product, and the family learnt from it; of concurrent callers one gets true.
     * @param before As it was read: when somebody has changed it since, nothing is written.
     */
    saveProduct: async (
      before: Registration,
      { family, product }: Pick<Registration, "family" | "product">,
    ): Promise<boolean> => {
      const seen = { _id: before.id, family: before.family, product: before.product ?? null };
      const unchanged = { ...seen, familyFrom: before.familyFrom ?? null };
      return (await model.updateOne(unchanged, { $set: { family, product } })).modifiedCount === 1;
    },
    /** The product an operator says it is; null leaves it to what the LMS says. */
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
    /** Names the audiences that tokens may have beside us; false when the registration is not known. */
    setTrustedAudiences: async (id: string, trustedAudiences: readonly string[]): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { trustedAudiences: [...trustedAudiences] } }))
        .matchedCount === 1,
    /** Changes whether unseen deployments are accepted; false when the registration is not known. */
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
