// Imitates nothing: what a test does in a course.
import { changeMaximumOnly, excuseGrade, isCompletedByGrade, rescaleColumn } from "./gradebook.ts";
import type { Column, Course, LmsRole } from "./lms-records.ts";
import {
  addColumn,
  columnsOf,
  courseOf,
  deleteColumn,
  enrolmentOf,
  findLink,
  publishLink,
} from "./lms-world.ts";
import type { Lms } from "./lms.ts";

export type NewEnrolment = {
  id: string;
  role: LmsRole;
  sections?: string[];
  given?: string;
  family?: string;
  username?: string;
  email?: string;
};

export function createCourseControl(lms: Lms) {
  return { ...peopleControl(lms), ...contentControl(lms) };
}

function peopleControl(lms: Lms) {
  const { world } = lms;
  /** Thousands of people within a moment. */
  const enrolMany = (courseId: string, people: readonly NewEnrolment[]): void => {
    const course = courseOf(world, courseId);
    const coming = new Set(people.map(({ id }) => id));
    course.enrolments = course.enrolments.filter(({ personId }) => !coming.has(personId));
    for (const person of people) {
      const { id, role, sections = [], given = "New", family = `Person ${id}` } = person;
      const { username = `user${id}`, email = `${username}@example.test` } = person;
      if (!world.people.has(id)) world.people.set(id, { id, username, given, family, email, admin: false });
      course.enrolments.push({ personId: id, role, sections });
    }
  };
  return {
    /** Creates the account if the id is new; replaces an existing enrolment. */
    enrol: (courseId: string, person: NewEnrolment): void => {
      enrolMany(courseId, [person]);
    },
    enrolMany,
    unenrol: (courseId: string, personId: string): void => {
      const course = courseOf(world, courseId);
      course.enrolments = course.enrolments.filter((enrolment) => enrolment.personId !== personId);
    },
    rename: (personId: string, name: { given: string; family: string }): void => {
      const person = world.people.get(personId);
      if (person === undefined) throw new Error(`Nobody has the id ${personId}.`);
      world.people.set(personId, { ...person, ...name });
    },
    setSections: (courseId: string, personId: string, sections: readonly string[]): void => {
      const enrolment = enrolmentOf(courseOf(world, courseId), personId);
      if (enrolment === undefined) throw new Error(`Nobody with id ${personId} is in course ${courseId}.`);
      enrolment.sections = [...sections];
    },
  };
}

function contentControl(lms: Lms) {
  const { world } = lms;
  const linkOf = (linkId: string) => {
    const link = findLink(world, linkId);
    if (link === undefined) throw new Error(`The stand-in LMS has no link ${linkId}.`);
    return link;
  };
  const columnOf = (columnId: string) => {
    const column = world.columns.get(columnId);
    if (column === undefined) throw new Error(`The stand-in LMS has no column ${columnId}.`);
    return column;
  };
  return {
    setCourse: (courseId: string, change: Partial<Pick<Course, "published" | "concluded">>): void => {
      Object.assign(courseOf(world, courseId), change);
    },
    /** Removes learners, groups and grades; ids of course, links and columns stay. */
    resetCourse: (courseId: string, options: { keepLearners?: boolean } = {}): void => {
      resetCourse(lms, courseId, options.keepLearners ?? false);
    },
    /** With its column. */
    publish: (linkId: string, published = true): void => {
      publishLink(world, linkOf(linkId), published);
    },
    /** The activity gets its own grade: in Moodle a teacher ticks "Allow to add grades". */
    switchGradesOn: (linkId: string): void => {
      const { id, courseId, title } = linkOf(linkId);
      const own = { resourceLinkId: id, coupledLinkId: id };
      addColumn(world, courseId, { label: title, scoreMaximum: 100, ...own });
    },
    /** The opposite: its column disappears, with its grades, and its record in Moodle's grade service is kept until the daily task. */
    switchGradesOff: (linkId: string): void => {
      const own = columnsOf(world, linkOf(linkId).courseId).filter((one) => one.coupledLinkId === linkId);
      for (const { id } of own) deleteColumn(world, id);
      linkOf(linkId).staleColumn = own.length > 0;
    },
    /** Moodle's "Duplicate" within the course: the column is copied, too, with `resourceId` and `tag`, but without grades. */
    duplicate: (linkId: string): string => {
      const { courseId, ...link } = linkOf(linkId);
      const copy = {
        ...link,
        id: world.nextId("link"),
        title: `${link.title} (copy)`,
        custom: { ...link.custom },
      };
      courseOf(world, courseId).links.push({ ...copy, courseId });
      const own = columnsOf(world, courseId).filter((column) => column.resourceLinkId === linkId);
      for (const column of own)
        addColumn(world, courseId, {
          ...column,
          label: copy.title,
          resourceLinkId: copy.id,
          coupledLinkId: column.coupledLinkId === null ? null : copy.id,
        });
      return copy.id;
    },
    /** By Moodle's "Receive a grade"; with `atLeast` (points) by Canvas's "Score at least". */
    isCompleted: (linkId: string, personId: string, atLeast?: number): boolean =>
      isCompletedByGrade(world, linkId, personId, atLeast ?? null),
    setColumn: (
      columnId: string,
      change: Partial<Pick<Column, "locked" | "hidden" | "published" | "label" | "periodClosed">>,
    ): void => {
      Object.assign(columnOf(columnId), change);
    },
    /** Canvas leaves the grades unchanged; Moodle asks whether to rescale them, and does so by default. */
    setPoints: (columnId: string, points: number, { rescale = true }: { rescale?: boolean } = {}): void => {
      const column = columnOf(columnId);
      // abstract_assignment.rb, `update_line_items`: the line item follows `points_possible` (0 if there are none), submissions do not.
      if (lms.manners.name === "canvas") column.scoreMaximum = points;
      else if (!rescale) changeMaximumOnly(world, column, points);
      else rescaleColumn(world, column, points, lms.clock.now());
    },
    /** With all its grades. */
    deleteColumn: (columnId: string): void => {
      const column = columnOf(columnId);
      // abstract_assignment.rb, `destroy`: only resource links are destroyed, which own the line items of linked assignments.
      if (lms.manners.name === "canvas" && column.coupledLinkId === null) column.deleted = true;
      else deleteColumn(world, column.id);
    },
    /** Canvas only. */
    excuse: (columnId: string, personId: string, excused = true): void => {
      excuseGrade(world, columnId, personId, excused);
    },
  };
}

/** lib/gradelib.php, `grade_course_reset`: grades are deleted, grade items and their numbers stay. */
function resetCourse(lms: Lms, courseId: string, keepLearners: boolean): void {
  const course = courseOf(lms.world, courseId);
  const columns = new Set(columnsOf(lms.world, courseId).map(({ id }) => id));
  for (const [key, { columnId }] of lms.world.grades) if (columns.has(columnId)) lms.world.grades.delete(key);
  for (const enrolment of course.enrolments) enrolment.sections = [];
  if (!keepLearners) course.enrolments = course.enrolments.filter(({ role }) => role !== "student");
}
