import { setTimeout as pause } from "node:timers/promises";
import type { DemoWorld } from "./demo-world.ts";
import { openCourseLink } from "./open-course-link.ts";
import { createVisitor } from "./visitor.ts";
import type { attendanceStatuses } from "./stand-in-classroom/world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const biology = { name: "BIO101", link: "1" };
const lookIntervalMs = 1_000;
/** Near enough that logins are fetched ahead, but leaving time to look around first. */
const nextSessionInMs = 12 * minuteMs;

const lectures = [
  { title: "Lecture 1: What is life?", daysAgo: 22 },
  { title: "Lecture 2: Molecules of life", daysAgo: 15 },
  { title: "Lecture 3: Cells and membranes", daysAgo: 8, recordedMinutes: 58, transcript: true },
  { title: "Lecture 4: Photosynthesis", daysAgo: 1, recordedMinutes: 52, transcript: false },
] as const;

type Status = (typeof attendanceStatuses)[number];
type Lecture = { eventId: string; startsAt: number };

/** How many learners of how many have their attendance. */
export type DemoClassProgress = { learners: number; of: number };

export type DemoClass = { progress: () => DemoClassProgress; stop: () => void };

/**
 * The biology course in the middle of its term: four lectures with attendance and two recordings, one of them published, and the next
 * lecture soon. It goes through the tool as people would: the teacher opens the link, the tool creates the Space and, because a lecture is
 * near, the users of the class; then the classroom marks who attended. Learners may check in by a code.
 */
export function holdDemoClass(world: DemoWorld): DemoClass {
  const ending = new AbortController();
  const learners = namesOfLearners(world);
  const marked = new Set<string>();
  // Without it, only an example would be missing.
  hold(world, { learners, marked }, ending.signal).catch(() => undefined);
  return {
    progress: () => ({ learners: marked.size, of: learners.length }),
    stop: () => {
      ending.abort();
    },
  };
}

function namesOfLearners({ lms }: DemoWorld): string[] {
  const { people, courses } = lms.world;
  return [...courses.values()]
    .filter(({ shortname }) => shortname === biology.name)
    .flatMap(({ enrolments }) => enrolments.filter(({ role }) => role === "student"))
    .map(({ personId }) => people.get(personId))
    .filter((person) => person !== undefined)
    .map(({ given, family }) => `${given} ${family}`);
}

/** Names of all learners, and of those who have their attendance. */
type Roll = { learners: readonly string[]; marked: Set<string> };

async function hold(world: DemoWorld, roll: Roll, signal: AbortSignal): Promise<void> {
  await letLearnersCheckIn(world);
  const spaceId = await spaceOfCourse(world, signal);
  const held = scheduleLectures(world, spaceId);
  await Promise.all([publishNewest(world, signal), markWhoCame(world, held, roll, signal)]);
  tellOfUnplanned(world, spaceId, roll);
}

async function letLearnersCheckIn(world: DemoWorld): Promise<void> {
  const { teacher, home } = await openLink(world, "teacher1");
  const settings = await teacher.submit(home, { action: "/course/settings" });
  await teacher.submit(settings, { action: "/course/check-in/switch", fields: { on: "on" } });
}

/** This morning most of them met their teacher without a planned session; nobody has said yet what it was. */
function tellOfUnplanned({ classroom }: DemoWorld, spaceId: string, { learners }: Roll): void {
  const began = Math.floor(Date.now() / hourMs) * hourMs - unplannedAgoMs + 2 * minuteMs;
  const until = began + 56 * minuteMs;
  const there = classroom.users().flatMap(({ userId, name, role }) => {
    if (role === "host") return [{ userId, from: began - minuteMs, to: until + minuteMs }];
    const learner = learners.indexOf(name);
    if (learner === -1 || learner % 9 === 4) return [];
    return [
      {
        userId,
        from: began + (learner % 11 === 3 ? 14 * minuteMs : 0),
        to: until - (learner % 4) * minuteMs,
      },
    ];
  });
  if (there.length > 0) classroom.tellEarlier({ spaceId, stays: there });
}

const unplannedAgoMs = 5 * hourMs;

async function spaceOfCourse({ classroom }: DemoWorld, signal: AbortSignal): Promise<string> {
  for (;;) {
    const space = classroom.spaces().find(({ name }) => name.startsWith(biology.name));
    if (space !== undefined) return space.spaceId;
    await pause(lookIntervalMs, undefined, { signal });
  }
}

function scheduleLectures({ classroom }: DemoWorld, spaceId: string): Lecture[] {
  const now = Date.now();
  const fullHour = Math.floor(now / hourMs) * hourMs;
  const startsSoon = now + nextSessionInMs;
  classroom.createEvent({
    spaceId,
    title: "Lecture 5: Inheritance",
    startsAt: startsSoon,
    endsAt: startsSoon + hourMs,
  });
  const held = lectures.map((lecture) => {
    const startsAt = fullHour - lecture.daysAgo * dayMs;
    const { title } = lecture;
    const { eventId } = classroom.createEvent({ spaceId, title, startsAt, endsAt: startsAt + hourMs });
    if ("recordedMinutes" in lecture) {
      const { recordedMinutes: minutes, transcript } = lecture;
      const recording = { spaceId, title, startedAt: startsAt + 2 * minuteMs, minutes };
      const { recordingId } = classroom.publishRecording(recording);
      if (transcript) classroom.publishTranscript({ recordingId });
    }
    return { eventId, startsAt };
  });
  const questions = fullHour - 3 * dayMs;
  const { eventId } = classroom.createEvent({
    spaceId,
    title: "Question hour",
    startsAt: questions,
    endsAt: questions + hourMs,
  });
  classroom.raiseAlert({ alertType: "EVENT_NO_SHOW", eventId });
  return held;
}

/** The tool's users of the class; two are missing in the last lecture, so that some are left to be marked. */
async function markWhoCame(
  { classroom }: DemoWorld,
  held: readonly Lecture[],
  { learners, marked }: Roll,
  signal: AbortSignal,
): Promise<void> {
  while (marked.size < learners.length) {
    for (const { userId, name } of classroom.users()) {
      const learner = learners.indexOf(name);
      if (learner === -1 || marked.has(name)) continue;
      marked.add(name);
      for (const [lecture, { eventId, startsAt }] of held.entries()) {
        const status = statusOf(learner, lecture);
        if (status !== null)
          classroom.markAttendance({ eventId, userId, status, at: startsAt + 5 * minuteMs });
      }
    }
    await pause(lookIntervalMs, undefined, { signal });
  }
}

/** Most attended most lectures; a few are late, absent or excused. */
function statusOf(learner: number, lecture: number): Status | null {
  if (lecture === lectures.length - 1 && learner % 14 === 9) return null;
  const chance = (learner * 7 + lecture * 5) % 17;
  if (chance < 2) return "ABSENT";
  if (chance < 4) return "LATE";
  return chance === 4 ? "EXCUSED" : "PRESENT";
}

/** By the teacher, once the tool knows both recordings. */
async function publishNewest(world: DemoWorld, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { teacher, home } = await openLink(world, "teacher1");
    const page = await teacher.submit(home, { action: "/course/recordings" });
    if (page.text.split('value="publish"').length > 2) {
      await teacher.submit(page, { action: "/course/recordings/decide", fields: { act: "publish" } });
      return;
    }
    await pause(lookIntervalMs, undefined, { signal });
  }
}

async function openLink({ lms }: DemoWorld, person: string) {
  const teacher = createVisitor();
  const home = await openCourseLink(teacher, lms, person, biology.link, { framed: true });
  return { teacher, home };
}
