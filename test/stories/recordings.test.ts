import { beforeAll, describe, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { arrive as arriveIn, post as postIn } from "../support/tool/pages.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = { course: "2", link: "1" };
const history = { course: "3", link: "2" };
const hour = 3_600_000;

let spaceId: string;
let teacher: string;
let learner: string;

const world = await forAllTests(startWorld({ learners: 2, turns: { transcriptsAreAddresses: true } }));
beforeAll(async () => {
  await walkIn(world, "student1", biology.link);
  spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  teacher = await arrive("teacher1");
  learner = await arrive("student1");
}, 90_000);

const arrive = (person: string) => arriveIn(world, person, biology.link);

const post = (session: string, path: string, fields: Record<string, string> = {}) =>
  postIn(world, session, path, fields);

const recordingsOf = (session: string) => post(session, "/course/recordings");

/** The page as soon as it contains the text. */
function shows(at: string, text: string) {
  return vi.waitFor(async () => {
    const seen = await recordingsOf(at);
    expect(seen.text).toContain(text);
    return seen;
  }, patience);
}

describe("a recorded class", () => {
  test("goes from no recording through a waiting and a ready one to one that learners watch", async () => {
    expect((await recordingsOf(teacher)).text).toContain("No recordings yet");
    const now = Date.now();
    world.classroom.createEvent({ spaceId, title: "Cells", startsAt: now - hour, endsAt: now });
    world.classroom.endSession({ spaceId });
    await shows(teacher, "A recording appears here within about an hour");

    const recording = world.classroom.publishRecording({
      spaceId,
      title: "Monday's class",
      startedAt: now - 50 * 60_000,
      minutes: 45,
    });
    await shows(teacher, "45 minutes");
    const ready = await shows(teacher, "Cells"); // the event is read from the classroom meanwhile
    expect(ready.text).toContain("Monday&#39;s class");
    expect(ready.text).not.toContain("within about an hour");
    expect((await recordingsOf(learner)).text).toContain("No recordings yet");
    const stolen = await post(learner, "/course/recordings/open", { recording: recording.recordingId });
    expect(stolen.status).toBe(404);
    const forbidden = await post(learner, "/course/recordings/decide", {
      recording: recording.recordingId,
      revision: "0",
      act: "publish",
    });
    expect(forbidden.status).toBe(403);

    const decided = { recording: recording.recordingId, revision: "0", act: "publish" };
    const published = await post(teacher, "/course/recordings/decide", decided);
    expect(published.text).toContain("Published. Learners see it now.");
    const again = await post(teacher, "/course/recordings/decide", { ...decided, act: "hide" });
    expect(again.status).toBe(409);
    const theirs = await recordingsOf(learner);
    expect(theirs.text).toContain("Monday&#39;s class");
    expect(theirs.text).not.toContain("Title and session of");
    const watched = await post(learner, "/course/recordings/open", { recording: recording.recordingId });
    expect([watched.status, watched.headers.get("location")]).toEqual([303, recording.url]);

    world.classroom.publishTranscript({ recordingId: recording.recordingId });
    // Until the list is read, which the message asks for, the page says that both are in the classroom: a moment too short to test.
    const read = await shows(learner, "Transcript of Monday&#39;s class");
    expect(read.text).toContain("Summary of Monday&#39;s class");
    expect(read.text).not.toContain("to read its transcript and summary");
    world.classroom.removeRecording({ recordingId: recording.recordingId });
    await shows(learner, "Unavailable");
  });
});

describe("recordings that are ready", () => {
  const press = (session: string, recording: string, act = "publish", revision = "0") =>
    post(session, "/course/home/recording", { recording, act, revision });
  const buttons = (text: string) => [...text.matchAll(/aria-label="Publish [^"]*"/g)].length;

  test("are published on Home with one click each, at most three, without losing other clicks", async () => {
    const made = ["One", "Two", "Three", "Four"].map((title, index) =>
      world.classroom.publishRecording({ spaceId, title, startedAt: Date.now() - (50 - index) * 60_000 }),
    );
    const [one = "", two = "", three = "", four = ""] = made.map(({ recordingId }) => recordingId);
    await shows(teacher, "Publish Four");
    const { text } = await post(teacher, "/course/home");
    expect([text.includes("4 recordings to publish"), buttons(text)]).toEqual([true, 3]);

    const published = await press(teacher, four);
    expect(published.text).toContain("Published. Learners see it now.");
    expect(published.text).toContain("3 recordings to publish");
    expect((await recordingsOf(learner)).text).toContain("Four");
    const twice = await press(teacher, four);
    expect([twice.status, twice.text.includes("Published. Learners see it now.")]).toEqual([200, true]);
    expect((await press(teacher, four, "hide", "1")).text).toContain("Hidden from learners.");
    expect((await recordingsOf(learner)).text).not.toContain("Four");
    const late = await press(teacher, four);
    expect([late.status, late.text.includes("somebody else changed this")]).toEqual([409, true]);

    world.classroom.removeRecording({ recordingId: three });
    await vi.waitFor(async () => {
      const gone = await press(teacher, three, "publish", "99");
      expect([gone.status, gone.text.includes("the classroom no longer has this")]).toEqual([404, true]);
    }, patience);
    const theirs = await press(await arriveIn(world, "teacher2", history.link), two);
    expect([theirs.status, theirs.text.includes("no longer belongs to the course")]).toEqual([404, true]);
    expect((await press(learner, two)).status).toBe(403);
    expect((await press(teacher, two, "describe")).status).toBe(400);
    expect(buttons((await press(teacher, two)).text)).toBe(1);
    expect((await press(teacher, one)).text).not.toContain("to publish");
  });
});

describe("an alert about a session", () => {
  test("is shown with its history, leaves the list of new ones when it was seen, and is closed by the classroom", async () => {
    const alertsOf = () => post(teacher, "/course/alerts");
    expect((await alertsOf()).text).toContain("No alerts.");
    const event = world.classroom.createEvent({ spaceId, title: "Nobody's class" });
    const { alertId } = world.classroom.raiseAlert({ alertType: "EVENT_NO_SHOW", eventId: event.eventId });
    const raised = await vi.waitFor(async () => {
      const seen = await alertsOf();
      expect(seen.text).toContain("Nobody came to this session");
      return seen;
    }, patience);
    expect(raised.text).toMatch(/\(status (open|new)\)/);
    expect(raised.text.replace(/<[^>]*>/g, ""), "as people read it").not.toContain("OPEN");
    expect(raised.text).toContain("by the classroom");
    const look = (/name="look" value="([^"]+)"/.exec(raised.text)?.[1] ?? "").replaceAll("&#34;", '"');
    const seen = await post(teacher, "/course/alerts/seen", { alert: alertId, look });
    expect(seen.text).toContain("Marked as seen.");
    expect(seen.text).toContain("Nothing new.");
    expect((await post(learner, "/course/alerts")).status).toBe(403);
    world.classroom.updateAlert({ alertId, status: "CLOSED" });
    await vi.waitFor(async () => {
      expect((await alertsOf()).text).toContain("Closed");
    }, patience);
  });
});

describe("a transcript that comes as text", () => {
  let recordingId: string;
  const read = (session: string, part: string, path = "/course/recordings/text") =>
    post(session, path, { recording: recordingId, part });

  test("opens on a separate page as plain text, and can be downloaded", async () => {
    ({ recordingId } = world.classroom.publishRecording({ spaceId, title: "Cells as text" }));
    world.classroom.publishTranscript({
      recordingId,
      transcript: [
        { speaker: "Ina", text: "What is <script>alert(1)</script> for?" },
        { speaker: "Ann", text: "It is & stays a cell." },
      ],
      summary: "Cells <b>divide</b>.",
    });
    const listed = await shows(teacher, "Transcript of Cells as text");
    expect(listed.text).not.toContain("to read its transcript");
    const page = await read(teacher, "transcript");
    expect(page.text).toContain(
      "Ina: What is &lt;script&gt;alert(1)&lt;/script&gt; for?\nAnn: It is &amp; stays a cell.",
    );
    expect(page.text).not.toContain("<script>alert");
    expect((await read(teacher, "summary")).text).toContain("Cells &lt;b&gt;divide&lt;/b&gt;.");
    const file = await read(teacher, "transcript", "/course/recordings/text.txt");
    expect(file.text).toContain("Ina: What is <script>alert(1)</script> for?\nAnn: It is & stays a cell.\n");
    expect(file.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(file.headers.get("content-disposition")).toMatch(
      /^attachment; filename=".*Transcript of Cells as text\.txt"/,
    );
    expect(file.headers.get("x-content-type-options")).toBe("nosniff");
  });
});
