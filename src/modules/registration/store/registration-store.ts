import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { replacedContext } from "../../../domain/course.ts";
import type { LmsCapabilities } from "../../../domain/lms-product.ts";
import { scopeAfterMove, sharedScope } from "../../../domain/person-scope.ts";
import type { RecordChange } from "../../../domain/personal-data.ts";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import {
  type Deployment,
  deploymentRecord,
  type OptionalStep,
  type Registration,
  registrationRecord,
  type RenamedDeployment,
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
 * One record per issuer and client id, never overwritten. After "same LMS", the earlier registration has its own id and settings with the
 * later one's client id and addresses. The earlier client id only opens its old activities.
 */
export function createRegistrationStore(connection: Connection) {
  const records = openRecords(connection, registrationRecord);

  /** With the client id and addresses by which it's reached. */
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
    /** @throws NamedError "registration-exists" if this issuer and client id are already known. */
    insert: async ({ id, ...facts }: Registration): Promise<void> => {
      if (!(await records.insert({ _id: id, ...facts })))
        throw refusal("registration-exists", {
          status: 409,
          details: { issuer: facts.issuer, clientId: facts.clientId },
        });
    },
    find: async (id: string): Promise<Registration | null> => presented(await records.row({ _id: id })),
    /** For an earlier client id, returns that id and its addresses. Null while records move. */
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
    /** The registration that this one continues, or is about to continue. Null for none. */
    sameAs: async (id: string): Promise<{ done: boolean; as: SameAs } | null> => {
      const row = await records.row({ _id: id });
      if (row?.sameAs != null) return { done: true, as: row.sameAs };
      return row?.becoming == null ? null : { done: false, as: row.becoming };
    },
    /** Switches a registration off until it has become another one. Has no effect afterwards. */
    becomes: async (id: string, as: SameAs): Promise<void> => {
      await records.change({ _id: id, sameAs: null }, { $set: { becoming: as, active: false } });
      // From here on, the earlier client id leads nowhere, so nothing is written while records move.
      await records.change({ _id: as.registrationId }, { $set: { reachedBy: id } });
    },
    /** In one step, launches find the earlier registration's courses. */
    hasBecome: async (id: string, as: SameAs): Promise<void> => {
      await records.change({ _id: id }, { $set: { sameAs: as, active: true }, $unset: { becoming: "" } });
    },
    /** What operators decide. False for an unknown registration. */
    set: (id: string, to: Partial<Pick<Registration, Decided>>): Promise<boolean> =>
      records.change({ _id: id }, { $set: to }),
    /**
     * Stores the LMS's product name and the family derived from it. Of concurrent callers, one gets true.
     * @param before As it was read. If it was changed since, nothing is written.
     */
    saveProduct: async (
      before: Registration,
      { family, product }: Pick<Registration, "family" | "product">,
    ): Promise<boolean> => {
      const seen = { _id: before.id, family: before.family, product: before.product ?? null };
      const unchanged = { ...seen, familyFrom: before.familyFrom ?? null };
      const learnt = { family, ...(product === undefined ? {} : { product }) };
      // A call that repeats what was known changes nothing, so it returns false.
      return (await records.model.updateOne(unchanged, { $set: learnt })).modifiedCount === 1;
    },
    /** The operator's choice. Null leaves it to what the LMS says. */
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
    /** An administrator's answer to a step of the set-up. Null takes it back. */
    markSetUp: async (id: string, step: OptionalStep, mark: "done" | "skipped" | null): Promise<void> => {
      const field = `setUpMarks.${step}`;
      await records.change(
        { _id: id },
        mark === null ? { $unset: { [field]: "" } } : { $set: { [field]: mark } },
      );
    },
    /** What the LMS has of the tool's description, and whether a change to it waits there. */
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

/** `decidedAt`: when an administrator accepted or refused it (ms). Null if only the policy did. */
export type ListedDeployment = Deployment & { decidedAt: number | null };
type DeploymentRow = RowOf<typeof deploymentRecord>;

export type DeploymentStore = ReturnType<typeof createDeploymentStore>;

/** One record per registration and deployment id. */
export function createDeploymentStore(connection: Connection) {
  const records = openRecords(connection, deploymentRecord);

  return {
    /** Returns the stored deployment, or stores `first`. The first writer decides. */
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
    /** The account of its new courses. False for a deployment that hasn't been seen. */
    setAccount: (registrationId: string, deploymentId: string, account: AccountId): Promise<boolean> =>
      records.change({ registrationId, deploymentId }, { $set: { account } }),
    /** An administrator's decision. False for a deployment that hasn't been seen. */
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

/** Records of people in the whole LMS: stopped mails, an office's excuses, and who acted according to the audit log. */
const ofPeople = personReferences.filter(
  ({ model, among }) =>
    among === "registration" &&
    personalRecords.some((record) => record.model === model && record.ofCourses === null),
);

/** Moves records from one registration to another. Every step is repeatable. */
export function createRegistrationMoves(connection: Connection) {
  const rows = collectionsByModel(connection);
  // All courses of the LMS are graded again after the move.
  const joins = createPersonJoins(connection, () => Promise.resolve());

  /** Moves a person: merges them with the person known there, or moves them as they are. */
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
            // Nobody looks for this row by its deployment, and it must not block another one.
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
      // A record that is already there says the same.
      for (const { _id } of theirs)
        if (!(await moved(model, _id, { registrationId: to.id }))) await rows(model).deleteOne({ _id });
    }
  };

  /** @returns false if the other registration already has this record, which then isn't changed. */
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
      // They may have been merged when another course moved. Records of this course still have their former id.
      const mergedPerson = await rows("Person").findOne({ _id: personId, mergedInto: { $exists: true } });
      if (mergedPerson !== null) await joins.finish(to.id, mergedPerson);
    }
  };

  /** The earlier course finds these scores in its gradebook. They count as its own, sent without an answer. */
  const leaveScores = async (registrationId: string, courseId: string, earlierId: string) => {
    const sent = { registrationId, courseId, accepted: { $ne: null } };
    for (const { columnKey, personId, accepted } of await rows("Delivery").find(sent).toArray()) {
      const update: RecordChange["update"] = { $push: { unconfirmed: accepted }, $inc: { revision: 1 } };
      const theirs = { registrationId, courseId: earlierId, columnKey, personId };
      await rows("Delivery").updateOne(theirs, update);
    }
    await rows("Delivery").deleteMany({ registrationId, courseId, state: { $ne: "delivered" } });
  };

  /** Gives way to an earlier course of the LMS: no launch finds this one then. */
  const moveItself = async ({ courseId, from, to, deploymentId }: CourseMove): Promise<void> => {
    const own = { _id: courseId, registrationId: from };
    const contextId = (await rows("Course").findOne(own))?.["contextId"] ?? null;
    const key = { registrationId: to.id, deploymentId, contextId };
    const earlier = await rows("Course").findOne(key);
    if (earlier !== null) await leaveScores(to.id, courseId, earlier._id);
    const change = earlier === null ? key : { ...key, contextId: replacedContext(courseId) };
    await rows("Course").updateOne(own, { $set: change });
  };

  return {
    /**
     * The course itself goes last: until then it's found where it was, and the move can continue. If the LMS
     * has an earlier one, it gives way: no launch finds it, but an erasure and an office's excuses still reach its people.
     */
    moveCourse: async (move: CourseMove): Promise<void> => {
      const { courseId, from, to, deploymentId } = move;
      for (const { environment, spaceId } of await rows("SpaceRight").find({ courseId }).toArray()) {
        await rows("RegisteredSpace").updateOne(
          { environment, spaceId, "owner.registrationId": from },
          { $set: { "owner.registrationId": to.id } },
        );
        const made = { environment, spaceId, "owner.registrationId": to.id, "owner.courseId": { $ne: null } };
        // What was another LMS's Space now belongs to this LMS.
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
          // A user may be matched there, too. Then that match counts, and this one stays behind.
          await moved(model, _id, {
            registrationId: to.id,
            ...(named === undefined ? {} : { deploymentId }),
            // A task's queue scope.
            ...(scope === from ? { scope: to.id } : {}),
          });
        }
      }
      await movePeople(move);
      await moveItself(move);
    },
    /** Deployments that the earlier registration doesn't know keep their account and what was decided about them. */
    moveDeployments: async (from: string, to: string, known: readonly RenamedDeployment[]): Promise<void> => {
      const more = { registrationId: from, deploymentId: { $nin: known.map(({ told }) => told) } };
      for (const { _id } of await rows("Deployment").find(more).toArray())
        await moved("Deployment", _id, { registrationId: to });
    },
    /** Forgets what belongs to another client id. The next launch of a course brings its present addresses. */
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
