// From: LTI Course Groups 1.0.
import { lti } from "./lti-names.ts";
import { otherPage } from "./other-call.ts";
import type { OtherCall } from "./other-call.ts";
import { otherAddresses, otherIds } from "./other-names.ts";
import type { ServiceAnswer } from "./service-answer.ts";

/** Few on a page, so that tools meet the paging. */
const pageSize = 20;

/** Course Groups: the groups of a course, of one person with `user_id`. Their ids are numbers, as some have them. */
export function answerOtherGroups(call: OtherCall): ServiceAnswer {
  const { course, query, lms } = call;
  const user = query.get("user_id");
  const groups = course.groups.filter(
    ({ members }) => user === null || members.includes(otherIds.numberOf(user)),
  );
  const url = otherAddresses(lms.url, course.id).groups;
  const page = otherPage(call, url, groups, pageSize);
  return answer(page.link, {
    id: url,
    groups: page.items.map(({ id, name, tag, setId }) => ({
      id: Number(id),
      name,
      ...(tag === null ? {} : { tag }),
      ...(setId === null ? {} : { set_id: Number(setId) }),
    })),
  });
}

export function answerOtherGroupSets(call: OtherCall): ServiceAnswer {
  const { course, lms } = call;
  const url = otherAddresses(lms.url, course.id).groupSets;
  const page = otherPage(call, url, course.groupSets, pageSize);
  return answer(page.link, { id: url, sets: page.items.map(({ id, name }) => ({ id: Number(id), name })) });
}

function answer(link: string[], body: Record<string, unknown>): ServiceAnswer {
  return {
    status: 200,
    type: lti.media.groups,
    ...(link.length === 0 ? {} : { headers: { link: link.join(", ") } }),
    body: JSON.stringify(body),
  };
}
