import type { Connection } from "mongoose";
import type { Course, Member } from "../../../domain/course.ts";
import type { Delivery } from "../../grading/rules/delivery.ts";
import type { Receipt } from "../../../inbox/rules/receipt.ts";

type Place = { registrationId: string; courseId: string };
/** The state of a course's grades that most needs somebody; null without scores. */
export type GradeState = Extract<Delivery["state"], "refused" | "held" | "waiting" | "delivered"> | null;

export type ConsoleLists = ReturnType<typeof createConsoleLists>;

/** Lists for operators; opened after the stores whose records it reads. */
export function createConsoleLists(connection: Connection) {
  const members = connection.model<Member & { _id: string }>("Member");
  const deliveries = connection.model<Delivery & { _id: string }>("Delivery");
  const receipts = connection.model<Receipt & { _id: string }>("Receipt");
  const placeOf = ({ id, registrationId }: Pick<Course, "id" | "registrationId">): Place => ({
    registrationId,
    courseId: id,
  });

  return {
    countMembers: (course: Pick<Course, "id" | "registrationId">): Promise<number> =>
      members.countDocuments({ ...placeOf(course), active: true }).exec(),
    /** One look at each state. */
    gradeState: async (course: Pick<Course, "id" | "registrationId">): Promise<GradeState> => {
      for (const state of ["refused", "held", "waiting", "delivered"] as const) {
        const found = await deliveries.findOne({ ...placeOf(course), state }, { _id: 1 }).lean();
        if (found !== null) return state;
      }
      return null;
    },
    /** Times and roles, latest first, without names. */
    lastLaunches: async (
      course: Pick<Course, "id" | "registrationId">,
      limit: number,
    ): Promise<{ at: number; role: Member["role"] }[]> => {
      const rows = await members
        .find({ ...placeOf(course), lastLaunchAt: { $gt: 0 } }, { lastLaunchAt: 1, role: 1 })
        .sort({ lastLaunchAt: -1 })
        .limit(limit)
        .lean();
      return rows.flatMap(({ lastLaunchAt: at, role }) => (at === null ? [] : [{ at, role }]));
    },
    /** Webhooks that wait for some Spaces or events to become a course's, latest first. */
    listWaitingFor: async (
      keys: readonly string[],
      limit: number,
    ): Promise<Pick<Receipt, "id" | "receivedAt" | "state" | "reason">[]> => {
      if (keys.length === 0) return [];
      const shown = { receivedAt: 1, state: 1, reason: 1 };
      const rows = await receipts
        .find({ waitsFor: { $in: [...keys] } }, shown)
        .sort({ receivedAt: -1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id, receivedAt, state, reason }) => ({ id: _id, receivedAt, state, reason }));
    },
  };
}
