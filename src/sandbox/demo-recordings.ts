import type { DemoWorld } from "./demo-world.ts";
import { openCourseLink } from "./open-course-link.ts";
import { createVisitor, type Seen } from "./visitor.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const biology = { name: "BIO101", link: "1" };
/** (ms) between looks for the course's Space, then for the recordings in the tool. */
const pollMs = 2_000;

/** Two recent recorded sessions of the biology course, one published, and a session without people. @returns stops looking. */
export function keepDemoRecordings(world: DemoWorld): () => void {
  const ending = new AbortController();
  const pause = () => new Promise((resolve) => setTimeout(resolve, pollMs).unref());
  const run = async () => {
    while (!ending.signal.aborted) {
      await pause();
      const space = world.classroom.spaces().find(({ name }) => name.startsWith(biology.name));
      if (space === undefined) continue;
      holdSessions(world, space.spaceId);
      for (let look = 0; look < 20; look += 1) {
        await pause();
        if (await publishNewest(world)) return;
      }
      return;
    }
  };
  // Only an example would be missing.
  run().catch(() => undefined);
  return () => {
    ending.abort();
  };
}

function holdSessions({ classroom }: DemoWorld, spaceId: string): void {
  const now = Date.now();
  const held = [
    { title: "Cells and membranes", ago: 3 * day, minutes: 58, transcript: true },
    { title: "Photosynthesis", ago: day, minutes: 52, transcript: false },
  ];
  for (const { title, ago, minutes, transcript } of held) {
    const startsAt = now - ago;
    classroom.createEvent({ spaceId, title, startsAt, endsAt: startsAt + hour });
    const recording = { spaceId, title, startedAt: startsAt + 2 * minute, minutes };
    const { recordingId } = classroom.publishRecording(recording);
    if (transcript) classroom.publishTranscript({ recordingId });
  }
  const startsAt = now - 2 * hour;
  const { eventId } = classroom.createEvent({
    spaceId,
    title: "Question hour",
    startsAt,
    endsAt: startsAt + hour,
  });
  classroom.raiseAlert({ alertType: "EVENT_NO_SHOW", eventId });
}

/** @returns false while there is none. */
async function publishNewest({ lms }: DemoWorld): Promise<boolean> {
  const teacher = createVisitor();
  const home = await openCourseLink(teacher, lms, "teacher1", biology.link, { framed: true });
  const page = await teacher.submit(home, { action: "/course/recordings" });
  if (!offersTwo(page)) return false;
  await teacher.submit(page, { action: "/course/recordings/decide", fields: { act: "publish" } });
  return true;
}

function offersTwo({ text }: Seen): boolean {
  return text.split('value="publish"').length > 2;
}
