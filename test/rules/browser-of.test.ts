import { expect, test } from "vitest";
import { isFramed } from "../../src/modules/launch/pages/show-launch.ts";
import { mayBeTablet } from "../../src/web/browser-of.ts";

const webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  [
    true,
    "Safari of an iPad or a Mac",
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.1 Safari/605.1.15`,
  ],
  [
    true,
    "Chrome of an iPad",
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} CriOS/130 Version/11.1.1 Safari/605.1.15`,
  ],
  [
    true,
    "Android asking for the desktop site",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  ],
  [
    false,
    "Chrome of a Mac",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  ],
  [
    false,
    "Firefox of a Mac",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0",
  ],
  [
    false,
    "Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  ],
  [false, "nothing", ""],
])("%s: %s may be a tablet in disguise", (may, _which, userAgent) => {
  expect(mayBeTablet(userAgent)).toBe(may);
});

test.each<[boolean, Record<string, string>]>([
  [true, {}],
  [false, { cookie: "a=b; lti_top=1" }],
  [false, { "sec-fetch-dest": "document" }],
  [true, { "sec-fetch-dest": "iframe", cookie: "lti_top=1" }],
])("whether a launch into an iframe, as the LMS says, is framed: %j with headers %j", (framed, headers) => {
  const presentation = { target: "iframe", locale: null, returnUrl: null, courseUrl: null } as const;
  const get = (name: string) => headers[name];
  expect(isFramed({ get }, { presentation })).toBe(framed);
});
