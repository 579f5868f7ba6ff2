import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Which file lets axe look at a page and narrows it: of every address that shows one, as test/stories/routes.txt has it. */
const pages = {
  accounts: `/admin/accounts /admin/accounts/new /admin/accounts/:account /admin/accounts/:account/change
    /admin/accounts/:account/pause /admin/accounts/:account/remove
    /admin/registrations/:id/set-up /admin/registrations/:id/set-up/pause`,
  "after-class": "/course/feedback /ended /ended/*rest /ended/:account",
  addresses: "/course/signed-out",
  analytics: "/course/analytics",
  "check-in": "/check-in/:id /course/check-in /course/check-in/screen",
  cohorts: `/course/cohorts/choose /course/cohorts/difference /course/cohorts/find /course/cohorts/history`,
  console: "/admin/log-in /admin/audit /admin/invitations/new /admin/registrations /admin/registrations/new",
  "console-inbox": `/admin/alarms /admin/alerts /admin/deliveries /admin/deliveries/again /admin/jobs /admin/launches
    /admin/receipts /admin/receipts/:id /admin/receipts/replay /admin/receipts/unknown /admin/sessions /admin/tasks`,
  "console-overview": "/admin /admin/search /admin/usage",
  "console-places": `/admin/classroom /admin/courses /admin/courses/:id /admin/erasures /admin/erasures/:id /admin/keys
    /admin/people /admin/people/:id /admin/registrations/:id`,
  "deep-linking": "/choose",
  embedded: "/course /course/*rest /enter /space",
  grades: "/course/grades /course/grades/resend",
  grading: "/course/grading /course/grading/preview",
  grid: "/course/grid /course/grid/cell /course/grid/import /course/grid/import/difference /course/grid/print",
  guides: `/course/guide/attendance /course/guide/grades /course/guide/grading /course/guide/home /course/guide/learner
    /course/guide/people /course/guide/recordings /course/guide/sessions /course/guide/settings`,
  home: "/course/home /course/set-up",
  invitation: "/lti/register",
  learner: "/course/my-sessions /course/calendar",
  look: "/admin/registrations/:id/look",
  mails: "/admin/mails /course/mails /course/my-mails /mail/:token",
  people: "/course/people /course/people/sections",
  recordings: "/course/alerts /course/recordings",
  register: "/course/learner /course/register",
  sessions: "/course/sessions /course/sessions/change /course/sessions/plan /course/sessions/plan/dates",
  settings: "/door",
  "settings-space": `/admin/registrations/:id/defaults /admin/spaces /course/audit /course/settings /course/settings/reset
    /course/settings/space`,
  unmatched: "/course/unmatched",
  unplanned: "/course/here /course/unplanned",
  waiting: "/waiting",
};

/** Files, parts of pages that scripts ask for, what machines read, ways that only lead on. */
const noPages = `/.well-known/security.txt /admin/log-in/back /admin/usage/file /brand/:name /calendar/:name
  /course/alive /course/calendar-file /course/grades.csv /course/grades.xlsx /course/grades/progress
  /course/grading/example /course/grading/live /course/grading/progress /course/grid.csv /course/grid.xlsx
  /course/people/progress /course/recordings/open /course/recordings/text.txt /course/sessions/progress
  /course/settings/preview /healthz /lti/config/canvas.json /metrics /readyz /waiting/again /waiting/events
  /waiting/state`;

/** Pages that no browser looks at yet. */
const notYet = "/ /admin/registrations/:id/same-as /course/grades/old-column /course/recordings/text";

const words = (text: string) => text.split(/\s+/);

test("every address that shows a page has a file whose browser looks at it, and only one", async () => {
  const routes = await readFile(join(import.meta.dirname, "../stories/routes.txt"), "utf8");
  const shown = [...routes.matchAll(/^GET (.+)$/gm)].map(([, path]) => path);
  const listed = [...Object.values(pages), noPages, notYet].flatMap(words);
  expect(listed.toSorted()).toEqual(shown.toSorted());
});

test("every file that is named here looks at pages", async () => {
  const files = await readdir(import.meta.dirname);
  for (const name of Object.keys(pages)) {
    const file = files.find((one) => [`${name}.test.ts`, `${name}.thorough.test.ts`].includes(one));
    expect([name, file]).toEqual([name, expect.any(String)]);
    const text = await readFile(join(import.meta.dirname, file ?? ""), "utf8");
    expect([name, /\b(?:findings\w+|axeFindings)\(/.test(text)]).toEqual([name, true]);
  }
});
