// From: measured; Context.id.history as the LTI custom variables have it.
import type { Lms } from "./lms.ts";
import { isStaff } from "./lms-seed.ts";
import { addColumn, columnsOf, courseOf, newCourseState } from "./lms-world.ts";
import type { Course, LmsWorld } from "./lms-records.ts";
import { installInCourse } from "./tools.ts";

/** Also notifies the tools that asked for it. */
export function copyCourseAndNotify(
  lms: Lms,
  courseId: string,
  options: { people?: "all" | "teachers" } = {},
): Course {
  const copy = copyCourse(lms.world, courseId, options);
  lms.notices.courseCopied(lms, copy, courseOf(lms.world, courseId));
  return copy;
}

/**
 * As a teacher does for the next term: links, custom values and columns are copied (with `resourceId` and `tag`), grades are not; ids are
 * new. Only `Context.id.history` names the original, as in Moodle.
 * @param options.people "all" enrols everybody again, "teachers" (the default) only the staff.
 */
function copyCourse(
  world: LmsWorld,
  courseId: string,
  options: { people?: "all" | "teachers" } = {},
): Course {
  const source = courseOf(world, courseId);
  const copies = [...world.courses.values()].filter((course) => course.history[0] === courseId).length + 1;
  const id = world.nextId("course");
  const sectionIds = new Map(source.sections.map((section) => [section.id, `${id}0${section.id}`]));
  const copy: Course = {
    ...newCourseState(),
    id,
    shortname: `${source.shortname}_${copies}`,
    title: `${source.title} copy ${copies}`,
    sections: source.sections.map(({ id: old, name }) => ({ id: sectionIds.get(old) ?? old, name })),
    enrolments: source.enrolments
      .filter((enrolment) => options.people === "all" || isStaff(enrolment.role))
      .map((enrolment) => ({
        ...enrolment,
        sections: enrolment.sections.map((section) => sectionIds.get(section) ?? section),
      })),
    links: [],
    history: [courseId, ...source.history],
  };
  world.courses.set(id, copy);
  const linkIds = new Map<string, string>();
  for (const link of source.links) {
    const newId = world.nextId("link");
    linkIds.set(link.id, newId);
    copy.links.push({
      ...link,
      id: newId,
      courseId: id,
      custom: { ...link.custom },
      history: [link.id, ...link.history],
    });
  }
  const moved = (old: string | null) => (old === null ? null : (linkIds.get(old) ?? null));
  // A column that only joins an assignment has none of its own to be copied with.
  for (const column of columnsOf(world, courseId).filter(({ joinedTo }) => joinedTo === null)) {
    addColumn(world, id, {
      ...column,
      coupledLinkId: moved(column.coupledLinkId),
      resourceLinkId: moved(column.resourceLinkId),
    });
  }
  for (const tool of world.tools.values()) {
    // A tool that is installed in a course is installed anew in its copy, as another deployment.
    if (tool.courseDeployments.has(courseId)) installInCourse(tool, id);
  }
  return copy;
}
