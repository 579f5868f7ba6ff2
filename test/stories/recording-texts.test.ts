import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { maxTextLength } from "../../src/modules/recordings/rules/recording-text.ts";
import { turnedOf } from "../../src/sandbox/assumptions.ts";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { patience } from "../support/patience.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { arrive as arriveIn, post as postIn } from "../support/tool/course-posts.ts";

const link = "1";

let world: DemoWorld;
let spaceId: string;
let teacher: string;
let learner: string;

beforeAll(async () => {
  world = await startWorld({ learners: 2, turned: turnedOf("transcriptsAreAddresses") });
  await walkIn(world, "student1", link);
  spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  teacher = await arrive("teacher1");
  learner = await arrive("student1");
}, 90_000);
afterAll(() => world.close());

const arrive = (person: string) => arriveIn(world, person, link);

const post = (session: string, path: string, fields: Record<string, string> = {}) =>
  postIn(world, session, path, fields);

const recordingsOf = (session: string) => post(session, "/course/recordings");
const shows = (at: string, text: string) =>
  vi.waitFor(async () => {
    const seen = await recordingsOf(at);
    expect(seen.text).toContain(text);
    return seen;
  }, patience);

describe("a transcript that comes as text", () => {
  let recordingId: string;
  const read = (session: string, part: string, path = "/course/recordings/text") =>
    post(session, path, { recording: recordingId, part });

  test("is read on a page of its own, as plain text, and taken along as a file", async () => {
    ({ recordingId } = world.classroom.publishRecording({ spaceId, title: "Cells" }));
    world.classroom.publishTranscript({
      recordingId,
      transcript: [
        { speaker: "Ina", text: "What is <script>alert(1)</script> for?" },
        { speaker: "Ann", text: "It is & stays a cell." },
      ],
      summary: "Cells <b>divide</b>.",
    });
    const listed = await shows(teacher, "Transcript of Cells");
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
      /^attachment; filename=".*Transcript of Cells\.txt"/,
    );
    expect(file.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("is for learners once the recording is", async () => {
    for (const path of ["/course/recordings/text", "/course/recordings/text.txt"])
      expect((await read(learner, "transcript", path)).status).toBe(404);
    await post(teacher, "/course/recordings/decide", {
      recording: recordingId,
      revision: "0",
      act: "publish",
    });
    expect((await read(learner, "transcript")).text).toContain("stays a cell");
    await post(teacher, "/course/recordings/decide", { recording: recordingId, revision: "1", act: "hide" });
    expect((await read(learner, "transcript")).status).toBe(404);
  });

  test("is cut where it is very long, which is said", async () => {
    const other = world.classroom.publishRecording({ spaceId, title: "Endless" });
    const text = "word ".repeat(maxTextLength / 5 + 10);
    world.classroom.publishTranscript({
      recordingId: other.recordingId,
      transcript: [{ speaker: "Ina", text }],
    });
    await shows(teacher, "Transcript of Endless");
    const page = await post(teacher, "/course/recordings/text", {
      recording: other.recordingId,
      part: "transcript",
    });
    expect(page.text).toContain("Here it ends after 500,000 characters");
  });

  test("goes with its recording", async () => {
    world.classroom.removeRecording({ recordingId });
    await shows(teacher, "Unavailable");
    await vi.waitFor(async () => expect((await read(teacher, "transcript")).status).toBe(404), patience);
  });
});
