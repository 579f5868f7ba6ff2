import type { Lms } from "./lms.ts";
import type { LmsRole } from "./lms-seed.ts";
import { columnsOf, courseOf, deleteColumn, enrolmentOf, findLink, publishLink } from "./lms-world.ts";
import type { Column, Course, CourseGroup } from "./lms-records.ts";
import { changeMaximumOnly, excuseGrade, rescaleColumn } from "./gradebook.ts";

/** Somebody to enrol. */
export type NewEnrolment = {
  id: string;
  role: LmsRole;
  sections?: string[];
  given?: string;
  family?: string;
  username?: string;
  email?: string;
};

/** The part of the remote control that changes courses and who is in them. */
export type CourseControl = {
  /** Enrols somebody, making the account when the id is new; an existing enrolment is replaced. */
  enrol: (courseId: string, person: NewEnrolment) => void;
  /** Enrols many at once, thousands within a moment. */
  enrolMany: (courseId: string, people: readonly NewEnrolment[]) => void;
  /** Takes somebody out of a course altogether. */
  unenrol: (courseId: string, personId: string) => void;
  /** Suspends somebody in a course, or ends that. */
  suspend: (courseId: string, personId: string, suspended?: boolean) => void;
  /** Adds a section (Moodle: a group) and gives its id. */
  addSection: (courseId: string, name: string) => string;
  /** Somebody has another name from now on. */
  rename: (personId: string, name: { given: string; family: string }) => void;
  /** Says in which sections somebody is. */
  setSections: (courseId: string, personId: string, sections: readonly string[]) => void;
  /** Adds a set of groups and gives its id (third manners). */
  addGroupSet: (courseId: string, name: string) => string;
  /** Adds a group of people and gives its id (third manners). */
  addGroup: (courseId: string, group: Pick<CourseGroup, "name" | "members"> & Partial<CourseGroup>) => string;
  /** Publishes, concludes or opens a course to the public; or takes that back. */
  setCourse: (courseId: string, change: Partial<Pick<Course, "published" | "concluded" | "public">>) => void;
  /** Takes learners, groups and grades out of a course; ids of the course, its links and columns stay. */
  resetCourse: (courseId: string, options?: { keepLearners?: boolean }) => void;
  /** Publishes an activity with its column, or hides both from learners. */
  publish: (linkId: string, published?: boolean) => void;
  /** How many submissions an activity takes; null is any number. */
  setAllowedAttempts: (linkId: string, attempts: number | null) => void;
  /** Locks, unlocks, hides, shows, publishes or renames a column, or closes its grading period. */
  setColumn: (
    columnId: string,
    change: Partial<Pick<Column, "locked" | "hidden" | "published" | "label" | "periodClosed">>,
  ) => void;
  /**
   * A teacher gives a column other points. Canvas leaves the grades in it as they are; Moodle asks whether to rescale them,
   * and does so unless told otherwise.
   */
  setPoints: (columnId: string, points: number, options?: { rescale?: boolean }) => void;
  /** A teacher deletes a column with all its grades. */
  deleteColumn: (columnId: string) => void;
  /** A teacher lets a learner off in one column (Canvas), or no longer. */
  excuse: (columnId: string, personId: string, excused?: boolean) => void;
};

/** The remote control over courses. */
export function createCourseControl(lms: Lms): CourseControl {
  return { ...peopleControl(lms), ...groupControl(lms), ...contentControl(lms) };
}

function peopleControl(
  lms: Lms,
): Pick<CourseControl, "enrol" | "enrolMany" | "unenrol" | "suspend" | "rename"> {
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
    setAllowedAttempts: (linkId, attempts) => {
      linkOf(linkId).allowedAttempts = attempts;
    },
    setColumn: (columnId, change) => {
      Object.assign(columnOf(columnId), change);
    },
    setPoints: (columnId, points, { rescale = true } = {}) => {
      const column = columnOf(columnId);
      // abstract_assignment.rb, `update_line_items`: the line item follows `points_possible`, submissions do not.
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

function resetCourse(lms: Lms, courseId: string, keepLearners: boolean): void {
  const course = courseOf(lms.world, courseId);
  const columns = new Set(columnsOf(lms.world, courseId).map(({ id }) => id));
  for (const [key, { columnId }] of lms.world.grades) if (columns.has(columnId)) lms.world.grades.delete(key);
  course.groups = [];
  for (const enrolment of course.enrolments) enrolment.sections = [];
  if (!keepLearners) course.enrolments = course.enrolments.filter(({ role }) => role !== "student");
}
