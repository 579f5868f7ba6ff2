import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { LmsCapabilities } from "../../../domain/lms-product.ts";
import { scopeAfterMove, sharedScope } from "../../../domain/person-scope.ts";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import {
  type Deployment,
  deploymentRecord,
  type OptionalStep,
  type Registration,
  registrationRecord,
  type SameAs,
  type ToolDescribed,
} from "../../../domain/registration.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { createPersonJoins } from "../../members/store/person-joins.ts";
import { personalRecords, personReferences } from "../../privacy/rules/erasure.ts";
import { onDuplicate, isDuplicateKey, openRecords, collectionsByModel } from "../../../storage/records.ts";

type RegistrationRow = RowOf<typeof registrationRecord>;
type Decided = "account" | "active" | "administratorsEnter" | "newDeployments" | "trustedAudiences";

export type RegistrationStore = ReturnType<typeof createRegistrationStore>;

/**
 * One for each (issuer, client id), never overwritten. After "same LMS" the earlier registration is found with its own
 * id and settings and the later one's client id and addresses; the earlier client id only opens its old activities.
 */
export function createRegistrationStore(connection: Connection) {
  const records = openRecords(connection, registrationRecord);

  /** With the client id and addresses it is reached by. */
  const presented = async (row: RegistrationRow | null): Promise<Registration | null> => {
    if (row === null) return null;
    const home = row.sameAs == null ? row : await records.row({ _id: row.sameAs.registrationId });
    if (home === null) return null;
    if (home.reachedBy == null) return toRegistration(home);
    return reachedThrough(home, await records.row({ _id: home.reachedBy }));
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

  const every = records.once(async (sort: { createdAt: 1 }) =>
    presentedAll(await records.rows({}, { sort })),
  );

  return {
    /** @throws NamedError "registration-exists" when this issuer and client id are known already. */
    insert: async ({ id, ...facts }: Registration): Promise<void> => {
      if (!(await records.insert({ _id: id, ...facts })))
        throw refusal("registration-exists", {
          status: 409,
          details: { issuer: facts.issuer, clientId: facts.clientId },
        });
    },
    find: async (id: string): Promise<Registration | null> => presented(await records.row({ _id: id })),
    /** By an earlier client id: with that id and its addresses; null while records move. */
    findByClient: async (issuer: string, clientId: string): Promise<Registration | null> => {
      const row = await records.row({ issuer, clientId });
      const found = await presented(row);
      if (row === null || found === null || found.clientId === clientId) return found;
      const home = await records.row({ _id: found.id });
      const by = await records.row({ _id: home?.reachedBy ?? "" });
      if (home === null || by?.sameAs == null) return null;
      return { ...reachedThrough(home, row), active: found.active, isFormer: true };
    },
    listByIssuer: async (issuer: string): Promise<Registration[]> =>
      presentedAll(await records.rows({ issuer })),
    /** Registrations with this client id, whatever their issuer. */
    listByClient: (clientId: string): Promise<Registration[]> => records.list({ clientId }),
    /** Oldest first. */
    list: () => every({ createdAt: 1 }),
    /** The registration that this one continues, or is about to; null for none. */
    sameAs: async (id: string): Promise<{ done: boolean; as: SameAs } | null> => {
      const row = await records.row({ _id: id });
      if (row?.sameAs != null) return { done: true, as: row.sameAs };
      return row?.becoming == null ? null : { done: false, as: row.becoming };
    },
    /** Switches a registration off until it has become another one; no effect afterwards. */
    becomes: async (id: string, as: SameAs): Promise<void> => {
      await records.change({ _id: id, sameAs: null }, { $set: { becoming: as, active: false } });
      // The earlier client id leads nowhere from here on, so nothing is written while records move.
      await records.change({ _id: as.registrationId }, { $set: { reachedBy: id } });
    },
    /** In one step launches find the earlier registration's courses. */
    hasBecome: async (id: string, as: SameAs): Promise<void> => {
      await records.change({ _id: id }, { $set: { sameAs: as, active: true }, $unset: { becoming: "" } });
    },
    /** What operators decide; false for an unknown registration. */
    set: (id: string, to: Partial<Pick<Registration, Decided>>): Promise<boolean> =>
      records.change({ _id: id }, { $set: to }),
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
      const learnt = { family, ...(product === undefined ? {} : { product }) };
      // One that says what was known already changes nothing, and is nobody's.
      return (await records.model.updateOne(unchanged, { $set: learnt })).modifiedCount === 1;
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
      return await records.change({ _id: id }, update);
    },
    /** An administrator's answer to a step of the set-up; null takes it back. */
    markSetUp: async (id: string, step: OptionalStep, mark: "done" | "skipped" | null): Promise<void> => {
      const field = `setUpMarks.${step}`;
      await records.change(
        { _id: id },
        mark === null ? { $unset: { [field]: "" } } : { $set: { [field]: mark } },
      );
    },
    /** What the LMS has of the tool's description, and whether a change of it waits there. */
    setDescription: (
      { issuer, clientId }: Pick<Registration, "issuer" | "clientId">,
      { lines, sentAt }: Pick<ToolDescribed, "lines" | "sentAt">,
    ): Promise<boolean> =>
      records.change(
        { issuer, clientId, description: { $ne: null } },
        { $set: { "description.lines": lines, "description.sentAt": sentAt } },
      ),
  };
}

const toRegistration = readerOf(registrationRecord);

function reachedThrough(home: RegistrationRow, by: RegistrationRow | null): Registration {
  const registration = toRegistration(home);
  if (by === null) return registration;
  const { issuer, clientId, authorizationUrl, tokenUrl, jwksUrl, tokenAudience, description = null } = by;
  const connection = { issuer, clientId, authorizationUrl, tokenUrl, jwksUrl, tokenAudience, description };
  const renamedDeployments = by.sameAs?.deployments ?? by.becoming?.deployments ?? [];
  return { ...registration, ...connection, active: registration.active && by.active, renamedDeployments };
}

/** `decidedAt`: when an administrator accepted or refused it (ms); null when only the policy did. */
export type ListedDeployment = Deployment & { decidedAt: number | null };
type DeploymentRow = RowOf<typeof deploymentRecord>;

export type DeploymentStore = ReturnType<typeof createDeploymentStore>;

/** One for each (registration, deployment id). */
export function createDeploymentStore(connection: Connection) {
  const records = openRecords(connection, deploymentRecord);

  return {
    /** The stored deployment, or `first`, stored now; the first writer decides. */
    record: async (first: Deployment): Promise<Deployment> => {
      const { registrationId, deploymentId } = first;
      const row =
        (await records.row({ registrationId, deploymentId })) ??
        (await records.saved(
          { registrationId, deploymentId },
          {
            $setOnInsert: {
              _id: `${registrationId} ${deploymentId}`,
              status: first.status,
              firstSeenAt: first.firstSeenAt,
            },
          },
        ));
      const { decidedAt: _decidedAt, ...deployment } = toDeployment(row);
      return deployment;
    },
    find: async (registrationId: string, deploymentId: string): Promise<Deployment | null> => {
      const row = await records.row({ registrationId, deploymentId });
      return row === null ? null : toDeployment(row);
    },
    listOf: async (registrationId: string): Promise<ListedDeployment[]> =>
      (await records.rows({ registrationId }, { sort: { firstSeenAt: 1 } })).map(toDeployment),
    /** The account of its new courses; false for a deployment not seen. */
    setAccount: (registrationId: string, deploymentId: string, account: AccountId): Promise<boolean> =>
      records.change({ registrationId, deploymentId }, { $set: { account } }),
    /** An administrator's decision; false for a deployment not seen. */
    setStatus: (
      registrationId: string,
      deploymentId: string,
      status: Deployment["status"],
      decidedAt: number | null = null,
    ): Promise<boolean> => records.change({ registrationId, deploymentId }, { $set: { status, decidedAt } }),
  };
}

function toDeployment({ _id, decidedAt = null, ...deployment }: DeploymentRow): ListedDeployment {
  return { ...deployment, decidedAt };
}

/** A course that moves to another registration of the same LMS. */
type CourseMove = {
  courseId: string;
  from: string;
  to: Pick<Registration, "id"> & Pick<LmsCapabilities, "idsHoldWithin">;
  deploymentId: string;
};

/** Records of people in the whole LMS: stopped mails, excuses of an office, who acted by the audit log. */
const ofPeople = personReferences.filter(
  ({ model, among }) =>
    among === "registration" &&
    personalRecords.some((record) => record.model === model && record.ofCourses === null),
);

/** Moves records from one registration to another. Every step is repeatable. */
export function createRegistrationMoves(connection: Connection) {
  const rows = collectionsByModel(connection);
  const joins = createPersonJoins(connection);

  /** The person known there already, or themselves. */
  const movePerson = async (move: CourseMove, personId: string): Promise<void> => {
    const { from, to, deploymentId } = move;
    const people = rows("Person");
    const person = await people.findOne({ _id: personId, registrationId: from });
    if (person === null) return;
    const { sub } = person;
    const before = typeof person["deploymentId"] === "string" ? person["deploymentId"] : "";
    const shared = sharedScope(before);
    const moved = { registrationId: to.id, deploymentId: scopeAfterMove(to, before, deploymentId) };
    const deploymentIds = { $in: [`${shared}${deploymentId}`, shared] };
    const known = await people.findOne({
      registrationId: to.id,
      sub,
      deploymentId: deploymentIds,
      mergedInto: null,
    });
    const change =
      known === null
        ? { ...moved }
        : {
            registrationId: to.id,
            // Nobody looks for this row by its deployment; it must not be in the way of another one.
            deploymentId: `${person._id}\n`,
            mergedInto: known._id,
            moving: true,
          };
    try {
      await people.updateOne({ _id: person._id }, { $set: change });
    } catch (thrown) {
      if (!isDuplicateKey(thrown)) throw thrown;
      await movePerson(move, personId);
    }
  };

  const moveRecordsOfPerson = async ({ from, to }: CourseMove, personId: string): Promise<void> => {
    for (const { model, path } of ofPeople) {
      const theirs = await rows(model)
        .find({ registrationId: from, [path]: personId })
        .toArray();
      // What is there already says the same.
      for (const { _id } of theirs)
        if (!(await moved(model, _id, { registrationId: to.id }))) await rows(model).deleteOne({ _id });
    }
  };

  /** @returns false for a record that the other registration has already; it is not changed. */
  const moved = (model: string, _id: string, to: Record<string, unknown>): Promise<boolean> =>
    rows(model)
      .updateOne({ _id }, { $set: to })
      .then(() => true, onDuplicate(false));

  const movePeople = async (move: CourseMove): Promise<void> => {
    const { courseId, from, to } = move;
    const registrationId = { $in: [from, to.id] };
    const members = await rows("Member").find({ registrationId, courseId }).toArray();
    const personIds = members.flatMap(({ personId }) => (typeof personId === "string" ? [personId] : []));
    for (const personId of personIds) {
      await movePerson(move, personId);
      await moveRecordsOfPerson(move, personId);
      // They may have been merged when another course moved; records of this course still have their former id.
      const gone = await rows("Person").findOne({ _id: personId, mergedInto: { $exists: true } });
      if (gone !== null) await joins.finish(to.id, gone);
    }
  };

  return {
    /** The people alone, where a course gives way to an earlier one. */
    movePeople,
    /** The course itself goes last: until then it is found where it was, and the move can continue. */
    moveCourse: async (move: CourseMove): Promise<void> => {
      const { courseId, from, to, deploymentId } = move;
      for (const { environment, spaceId } of await rows("SpaceRight").find({ courseId }).toArray()) {
        await rows("RegisteredSpace").updateOne(
          { environment, spaceId, "owner.registrationId": from },
          { $set: { "owner.registrationId": to.id } },
        );
        const made = { environment, spaceId, "owner.registrationId": to.id, "owner.courseId": { $ne: null } };
        // What was another LMS's Space is one of this LMS.
        if ((await rows("RegisteredSpace").findOne(made)) !== null)
          await rows("SpaceRight").updateMany(
            { environment, spaceId, $or: [{ registrationId: to.id }, { courseId }] },
            { $set: { madeForLms: true } },
          );
      }
      for (const { model, ofCourses } of personalRecords) {
        if (ofCourses === null || model === "Course") continue;
        const own = { ...ofCourses(from, [courseId]), registrationId: from };
        for (const { _id, deploymentId: named, scope } of await rows(model).find(own).toArray()) {
          // A user may be matched there, too: that match counts, and this one stays behind.
          await moved(model, _id, {
            registrationId: to.id,
            ...(named === undefined ? {} : { deploymentId }),
            // A task's queue scope.
            ...(scope === from ? { scope: to.id } : {}),
          });
        }
      }
      await movePeople(move);
      await rows("Course").updateOne(
        { _id: courseId, registrationId: from },
        { $set: { registrationId: to.id, deploymentId } },
      );
    },
    /** What belongs to another client id; the next launch of a course brings its present addresses. */
    forgetServices: async (registrationId: string): Promise<void> => {
      const unknown = {
        lineItemsUrl: null,
        gradesLink: null,
        gradeScopes: [],
        membershipsUrl: null,
        groupsUrl: null,
        groupSetsUrl: null,
      };
      await rows("Course").updateMany({ registrationId, lineItemsUrl: { $ne: null } }, { $set: unknown });
      await rows("Course").updateMany({ registrationId, membershipsUrl: { $ne: null } }, { $set: unknown });
      await rows("NoticeSubscription").deleteMany({ registrationId });
      await rows("AccessToken").deleteMany({ registrationId });
    },
  };
}
