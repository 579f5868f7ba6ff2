/** A course with the people in it, and the day's sessions. Times in ms since midnight. */
export type DayCourse = { id: string; size: number };
export type DaySession = {
  courseId: string;
  eventId: string;
  startsAt: number;
  endsAt: number;
  /** Whether the classroom told us of it before: a class that is not on the timetable walks in unexpectedly. */
  told: boolean;
};
/** Somebody comes to a session: `number` counts the people of the course, 0 is the host. */
export type DayVisit = { at: number; courseId: string; number: number; session: DaySession; again: boolean };
/** Somebody new is on the roster. */
export type DayNewcomer = { at: number; courseId: string };

const minute = 60_000;
const hour = 60 * minute;
/** How the sessions spread over the hours from eight in the morning on. */
const hours = [2, 5, 6, 5, 3, 3, 5, 5, 4, 2, 1, 1, 1];

/** The same numbers for the same seed (mulberry32), from 0 up to 1. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A day of so many courses of 10 to 300 people: one to three sessions each, most in the late morning and the
 * afternoon, one in six unexpected. Most come in the minutes around the start, a tenth up to half an hour late, and a
 * tenth once more.
 */
export function timetableOf(courses: number, seed: number) {
  const random = randomFrom(seed);
  const list: DayCourse[] = [];
  const sessions: DaySession[] = [];
  const visits: DayVisit[] = [];
  const newcomers: DayNewcomer[] = [];
  for (let index = 0; index < courses; index += 1) {
    const course = { id: `course-${index}`, size: 10 + Math.floor(291 * random() ** 2) };
    list.push(course);
    for (let left = 1 + Math.floor(3 * random()); left > 0; left -= 1) {
      const startsAt = 8 * hour + weighted(random, hours) * hour + Math.floor(4 * random()) * 15 * minute;
      if (sessions.some((one) => one.courseId === course.id && Math.abs(one.startsAt - startsAt) < 2 * hour))
        continue;
      const session: DaySession = {
        courseId: course.id,
        eventId: `event-${sessions.length}`,
        startsAt,
        endsAt: startsAt + (random() < 0.5 ? 60 : 90) * minute,
        told: random() >= 1 / 6,
      };
      sessions.push(session);
      for (let number = 0; number < course.size; number += 1) visits.push(...comes(random, session, number));
    }
    for (let number = 0; number < course.size; number += 50)
      newcomers.push({ courseId: course.id, at: Math.floor(24 * hour * random()) });
  }
  return { courses: list, sessions, visits: visits.sort((a, b) => a.at - b.at), newcomers };
}

function comes(random: () => number, session: DaySession, number: number): DayVisit[] {
  if (number > 0 && random() > 0.85) return [];
  // Around four minutes before to six after; the sum of three numbers is roughly normal.
  const around = ((random() + random() + random()) / 3 - 0.4) * 20 * minute;
  const late = random() < 0.1 ? 30 * minute * random() : 0;
  const at = session.startsAt + (number === 0 ? -6 * minute : around) + late;
  const { courseId } = session;
  const visit = { at, courseId, number, session, again: false };
  if (random() > 0.1) return [visit];
  return [visit, { ...visit, at: at + 5 * minute + 40 * minute * random(), again: true }];
}

function weighted(random: () => number, weights: readonly number[]): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  return weights.length - 1;
}
