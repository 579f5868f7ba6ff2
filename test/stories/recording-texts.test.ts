import { beforeAll, describe, expect, test, vi } from "vitest";
import { turnedOf } from "../../sandbox/assumptions.ts";
import { patience } from "../support/patience.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { arrive as arriveIn, post as postIn } from "../support/tool/course-posts.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const link = "1";

let spaceId: string;
let teacher: string;

const world = await forAllTests(startWorld({ learners: 2, turned: turnedOf("transcriptsAreAddresses") }));
beforeAll(async () => {
  await walkIn(world, "student1", link);
  spaceId = world.classroom.spaces()[0]?.spaceId ?? "";
  teacher = await arrive("teacher1");
}, 90_000);

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
});
