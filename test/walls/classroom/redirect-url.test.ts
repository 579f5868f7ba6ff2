import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClassroomClient } from "../../../src/classroom/client.ts";
import { joinUrl } from "../../../src/domain/join-settings.ts";
import type { StandInClassroom } from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { classroomClient } from "../../support/stand-ins/classroom-client.ts";
import { quickClassroom } from "../../support/stand-ins/quick-classroom.ts";
import { anyJoinSettings } from "../../support/tool/forms.ts";
import { dialectOf } from "../../support/stand-ins/dialects.ts";

const entry = fc.record({
  settings: anyJoinSettings("lms", "classroom", "de", "zh"),
  role: fc.constantFrom("host" as const, "participant" as const),
  locale: fc.constantFrom(null, "pt_BR", "fil", "tl"),
  mobile: fc.boolean(),
});
type Coming = typeof entry extends fc.Arbitrary<infer One> ? One : never;

/** The parameters that the document wants for these settings, this role and this device (part 4). */
function intended({ settings, role, locale, mobile }: Coming): Record<string, string> {
  const starts = settings.call === "anyone" || (settings.call === "host" && role === "host");
  const followed = locale === "pt_BR" ? "pt" : locale === "tl" ? "tl" : null;
  const language =
    settings.language === "lms" ? followed : settings.language === "classroom" ? null : settings.language;
  const wanted = {
    startCall: starts,
    skipCallHostCheck: settings.call === "anyone",
    skipDeviceSetup: settings.skipDeviceSetup,
    gv: settings.galleryView,
    standalone: settings.standalone,
    language,
    startLocalRecording: settings.startLocalRecording && !mobile,
    broadcastEvents: settings.mode === "embedded",
  };
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) =>
      value === false || value === null ? [] : [[name, String(value)]],
    ),
  );
}

describe.each(["a", "b", "c", "d"] as const)("a classroom that speaks spelling %s", (spelling) => {
  let classroom: StandInClassroom;
  let client: ClassroomClient;
  beforeAll(async () => {
    classroom = await quickClassroom({ spelling });
    client = classroomClient(classroom, { dialect: dialectOf(spelling) });
  });
  afterAll(() => classroom.close());

  test("reads exactly the parameters that were meant, whatever the settings", async () => {
    const options = { priority: "entry" } as const;
    const { spaceId } = await client.createSpace(
      { name: "Biology & <Friends>", access: "Public", waitingRoom: false },
      options,
    );
    const person = {
      reference: "per_1",
      name: "Ada",
      givenName: "Ada",
      familyName: "L",
      email: "a@b.example",
    };
    const { userId } = await client.createApiUser({ ...person, role: "participant" }, options);
    await fc.assert(
      fc.asyncProperty(entry, async (one) => {
        const redirectUrl = joinUrl({ ...one, appUrl: classroom.appUrl, spaceId });
        const { url } = await client.authorize({ userId, redirectUrl }, options);
        expect(classroom.authorizations().at(-1)).toMatchObject({ userId, spaceId });
        expect(classroom.authorizations().at(-1)?.parameters).toEqual(intended(one));
        const login = [...new URL(url).searchParams.keys()].sort();
        expect(login, "no parameter is on the login URL, where it has no effect").toEqual([
          "loginMethod",
          "loginType",
          "token",
        ]);
      }),
      { numRuns: 60 },
    );
  });
});
