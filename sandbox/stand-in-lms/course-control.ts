// Imitates nothing.
import type { Lms } from "./lms.ts";
import type { Column, Course, CourseGroup, LmsRole } from "./lms-records.ts";
import { changeMaximumOnly, excuseGrade, isCompletedByGrade, rescaleColumn } from "./gradebook.ts";
import {
  addColumn,
  columnsOf,
  courseOf,
  deleteColumn,
  enrolmentOf,
  findLink,
  publishLink,
} from "./lms-world.ts";

export type NewEnrolment = {
  id: string;
  role: LmsRole;
  sections?: string[];
  given?: string;
  family?: string;
  username?: string;
  email?: string;
};

export type CourseControl = {
  /** Makes the account when the id is new; replaces an existing enrolment. */
  enrol: (courseId: string, person: NewEnrolment) => void;
  /** Thousands within a moment. */
  enrolMany: (courseId: string, people: readonly NewEnrolment[]) => void;
  unenrol: (courseId: string, personId: string) => void;
  suspend: (courseId: string, personId: string, suspended?: boolean) => void;
  /** A section (Moodle: a group); returns its id. */
  addSection: (courseId: string, name: string) => string;
  rename: (personId: string, name: { given: string; family: string }) => void;
  setSections: (courseId: string, personId: string, sections: readonly string[]) => void;
  /** Returns its id (third manners). */
  addGroupSet: (courseId: string, name: string) => string;
  /** Returns its id (third manners). */
  addGroup: (courseId: string, group: Pick<CourseGroup, "name" | "members"> & Partial<CourseGroup>) => string;
  setCourse: (courseId: string, change: Partial<Pick<Course, "published" | "concluded" | "public">>) => void;
  /** Removes learners, groups and grades; ids of course, links and columns stay. */
  resetCourse: (courseId: string, options?: { keepLearners?: boolean }) => void;
  /** With its column. */
  publish: (linkId: string, published?: boolean) => void;
  /** Moodle: a teacher looks at the course as a student, or no more. */
  switchRole: (courseId: string, personId: string, switched?: boolean) => void;
  /** The activity gets a grade of its own: in Moodle a teacher ticks "Allow to add grades". */
  switchGradesOn: (linkId: string) => void;
  /** The opposite: its column goes, with its grades, and what Moodle's grade service knows of it stays until the daily task. */
  switchGradesOff: (linkId: string) => void;
  /** Moodle's daily task (task/cleanup_task.php of the grade service). */
  cleanUpColumns: () => void;
  /** Moodle's "Duplicate" within the course: the column is copied, too, with `resourceId` and `tag`, and without grades. */
  duplicate: (linkId: string) => string;
  /** By Moodle's "Receive a grade"; with `atLeast` (points) by Canvas's "Score at least". */
  isCompleted: (linkId: string, personId: string, atLeast?: number) => boolean;
  /** Submissions of an activity; null for any number. */
  setAllowedAttempts: (linkId: string, attempts: number | null) => void;
  setColumn: (
    columnId: string,
    change: Partial<Pick<Column, "locked" | "hidden" | "published" | "label" | "periodClosed">>,
  ) => void;
  /** Canvas leaves the grades as they are; Moodle asks whether to rescale them, and does so by default. */
  setPoints: (columnId: string, points: number, options?: { rescale?: boolean }) => void;
  /** With all its grades. */
  deleteColumn: (columnId: string) => void;
  /** Canvas only. */
  excuse: (columnId: string, personId: string, excused?: boolean) => void;
};

export function createCourseControl(lms: Lms): CourseControl {
  return { ...peopleControl(lms), ...groupControl(lms), ...contentControl(lms) };
}

function peopleControl(
  lms: Lms,
): Pick<CourseControl, "enrol" | "enrolMany" | "unenrol" | "suspend" | "switchRole" | "rename"> {
  const { world } = lms;
  const enrolMany: CourseControl["enrolMany"] = (courseId, people) => {
    const course = courseOf(world, courseId);
    const coming = new Set(people.map(({ id }) => id));
    course.enrolments = course.enrolments.filter(({ personId }) => !coming.has(personId));
    for (const person of people) {
      const { id, role, sections = [], given = "New", family = `Person ${id}` } = person;
      const { username = `user${id}`, email = `${username}@example.test` } = person;
      if (!world.people.has(id)) world.people.set(id, { id, username, given, family, email, admin: false });
      course.enrolments.push({ personId: id, role, sections, suspended: false });
    }
  };
  return {
    enrol: (courseId, person) => {
      enrolMany(courseId, [person]);
    },
    enrolMany,
    unenrol: (courseId, personId) => {
      const course = courseOf(world, courseId);
      course.enrolments = course.enrolments.filter((enrolment) => enrolment.personId !== personId);
    },
    suspend: (courseId, personId, suspended = true) => {
      enrolmentIn(lms, courseId, personId).suspended = suspended;
    },
    switchRole: (courseId, personId, switched = true) => {
      enrolmentIn(lms, courseId, personId).switched = switched;
    },
    rename: (personId, name) => {
      const person = world.people.get(personId);
      if (person === undefined) throw new Error(`Nobody has the id ${personId}.`);
      world.people.set(personId, { ...person, ...name });
    },
  };
}

function enrolmentIn(lms: Lms, courseId: string, personId: string) {
  const enrolment = enrolmentOf(courseOf(lms.world, courseId), personId);
  if (enrolment === undefined) throw new Error(`Nobody with id ${personId} is in course ${courseId}.`);
  return enrolment;
}

function groupControl(
  lms: Lms,
): Pick<CourseControl, "addSection" | "setSections" | "addGroupSet" | "addGroup"> {
  const { world } = lms;
  const freeId = (taken: readonly { id: string }[], start: number) =>
    String(Math.max(start, ...taken.map(({ id }) => Number(id)).filter(Number.isFinite)) + 1);
  return {
    addSection: (courseId, name) => {
      const everywhere = [...world.courses.values()].flatMap(({ sections }) => sections);
      const id = freeId(everywhere, 0);
      courseOf(world, courseId).sections.push({ id, name });
      return id;
    },
    setSections: (courseId, personId, sections) => {
      enrolmentIn(lms, courseId, personId).sections = [...sections];
    },
    addGroupSet: (courseId, name) => {
      const { groupSets } = courseOf(world, courseId);
      const id = freeId(groupSets, 500);
      groupSets.push({ id, name });
      return id;
    },
    addGroup: (courseId, group) => {
      const { groups } = courseOf(world, courseId);
      const id = group.id ?? freeId(groups, 700);
      const { name, tag = null, setId = null, members } = group;
      groups.push({ id, name, tag, setId, members: [...members] });
      return id;
    },
  };
}

function contentControl(
  lms: Lms,
): Omit<CourseControl, keyof ReturnType<typeof peopleControl> | keyof ReturnType<typeof groupControl>> {
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
    setCourse: (courseId, change) => {
      Object.assign(courseOf(world, courseId), change);
    },
    resetCourse: (courseId, options = {}) => {
      resetCourse(lms, courseId, options.keepLearners ?? false);
    },
    publish: (linkId, published = true) => {
      publishLink(world, linkOf(linkId), published);
    },
    switchGradesOn: (linkId) => {
      const { id, courseId, title } = linkOf(linkId);
      const own = { resourceLinkId: id, coupledLinkId: id };
      addColumn(world, courseId, { label: title, scoreMaximum: 100, ...own });
    },
    switchGradesOff: (linkId) => {
      const own = columnsOf(world, linkOf(linkId).courseId).filter((one) => one.coupledLinkId === linkId);
      for (const { id } of own) deleteColumn(world, id);
      linkOf(linkId).staleColumn = own.length > 0;
    },
    cleanUpColumns: () => {
      for (const { links } of world.courses.values()) for (const link of links) link.staleColumn = false;
    },
    duplicate: (linkId) => {
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
    isCompleted: (linkId, personId, atLeast) => isCompletedByGrade(world, linkId, personId, atLeast ?? null),
    setAllowedAttempts: (linkId, attempts) => {
      linkOf(linkId).allowedAttempts = attempts;
    },
    setColumn: (columnId, change) => {
      Object.assign(columnOf(columnId), change);
    },
    setPoints: (columnId, points, { rescale = true } = {}) => {
      const column = columnOf(columnId);
      // abstract_assignment.rb, `update_line_items`: the line item follows `points_possible` (0 where there are none), submissions do not.
      if (lms.manners.name === "canvas") column.scoreMaximum = points;
      else if (!rescale) changeMaximumOnly(world, column, points);
      else rescaleColumn(world, column, points, lms.clock.now());
    },
    deleteColumn: (columnId) => {
      const column = columnOf(columnId);
      // abstract_assignment.rb, `destroy`: only resource links are destroyed, which own the line items of linked assignments.
      if (lms.manners.name === "canvas" && column.coupledLinkId === null) column.deleted = true;
      else deleteColumn(world, column.id);
    },
    excuse: (columnId, personId, excused = true) => {
      excuseGrade(world, columnId, personId, excused);
    },
  };
}

/** lib/gradelib.php, `grade_course_reset`: grades go, grade items and their numbers stay. */
function resetCourse(lms: Lms, courseId: string, keepLearners: boolean): void {
  const course = courseOf(lms.world, courseId);
  const columns = new Set(columnsOf(lms.world, courseId).map(({ id }) => id));
  for (const [key, { columnId }] of lms.world.grades) if (columns.has(columnId)) lms.world.grades.delete(key);
  course.groups = [];
  for (const enrolment of course.enrolments) enrolment.sections = [];
  if (!keepLearners) course.enrolments = course.enrolments.filter(({ role }) => role !== "student");
}
