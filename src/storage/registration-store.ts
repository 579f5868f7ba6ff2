import { type Connection, Schema } from "mongoose";
import type { Registration } from "../domain/registration.ts";
import { NamedError } from "../kernel/errors.ts";
import { isDuplicateKey } from "./duplicate-key.ts";

type RegistrationRow = Omit<Registration, "id"> & { _id: string };

export type RegistrationStore = ReturnType<typeof createRegistrationStore>;

/** The LMSs that know this tool, one for each (issuer, client id). A registration is never overwritten. */
export function createRegistrationStore(connection: Connection) {
  const schema = new Schema<RegistrationRow>(
    {
      _id: { type: String, required: true },
      issuer: { type: String, required: true },
      clientId: { type: String, required: true },
      name: { type: String, required: true },
      family: { type: String, required: true },
      authorizationUrl: { type: String, required: true },
      tokenUrl: { type: String, required: true },
      jwksUrl: { type: String, required: true },
      tokenAudience: { type: String, default: null },
      environment: { type: String, required: true },
      active: { type: Boolean, required: true },
      newDeployments: { type: String, required: true },
      administratorsEnter: { type: Boolean },
      createdAt: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ issuer: 1, clientId: 1 }, { unique: true });
  const model = connection.model<RegistrationRow>("Registration", schema);

  return {
    /** @throws NamedError "registration-exists" when this issuer and client id are known already. */
    insert: async ({ id, ...facts }: Registration): Promise<void> => {
      try {
        await model.create({ _id: id, ...facts });
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
        throw new NamedError(
          "registration-exists",
          "This LMS is registered already with this client id. Nothing was changed; remove or disable the existing registration first if you want to start again.",
          { status: 409, details: { issuer: facts.issuer, clientId: facts.clientId } },
        );
      }
    },
    find: async (id: string): Promise<Registration | null> => orNull(await model.findOne({ _id: id }).lean()),
    findByClient: async (issuer: string, clientId: string): Promise<Registration | null> =>
      orNull(await model.findOne({ issuer, clientId }).lean()),
    listByIssuer: async (issuer: string): Promise<Registration[]> =>
      (await model.find({ issuer }).lean()).map(toRegistration),
    /** Those that have this client id, of whatever issuer. */
    listByClient: async (clientId: string): Promise<Registration[]> =>
      (await model.find({ clientId }).lean()).map(toRegistration),
    /** All of them, oldest first; for the console and the command line. */
    list: async (): Promise<Registration[]> =>
      (await model.find({}).sort({ createdAt: 1 }).lean()).map(toRegistration),
    /** Switches a registration on or off; false when it is not known. */
    setActive: async (id: string, active: boolean): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { active } })).matchedCount === 1,
    /** Lets the LMS's administrators into their part of the console, or not; false when it is not known. */
    setAdministratorsEnter: async (id: string, administratorsEnter: boolean): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { administratorsEnter } })).matchedCount === 1,
    /** Changes whether unseen deployments are accepted; false when the registration is not known. */
    setNewDeployments: async (id: string, newDeployments: Registration["newDeployments"]): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { newDeployments } })).matchedCount === 1,
  };
}

function toRegistration({ _id, ...facts }: RegistrationRow): Registration {
  return { id: _id, ...facts };
}

function orNull(row: RegistrationRow | null): Registration | null {
  return row === null ? null : toRegistration(row);
}
