import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

/** The file in which axe checks a page and narrows it, for every address that shows one, as test/stories/routes.txt has it. */
const pages = {
  console: `/ /admin/log-in /admin/audit /admin/invitations/new /admin/registrations /admin/registrations/new
    /admin/registrations/:id/same-as /admin/accounts /admin/accounts/new /admin/accounts/:account /admin/accounts/:account/change
    /admin/accounts/:account/pause /admin/accounts/:account/remove
    /admin/registrations/:id/set-up /admin/registrations/:id/set-up/pause`,
  addresses: "/course/signed-out",
  cohorts: `/course/cohorts/choose /course/cohorts/difference /course/cohorts/find /course/cohorts/history`,
  "console-lists": `/admin /admin/search /admin/usage /admin/last-attendance /admin/limits /admin/alarms /admin/alerts /admin/deliveries /admin/deliveries/again /admin/jobs /admin/launches
    /admin/receipts /admin/receipts/:id /admin/receipts/replay /admin/receipts/unknown /admin/sessions /admin/tasks /admin/api-keys /admin/api-keys/new /admin/readiness /admin/readiness/again`,
  "console-places": `/admin/classroom /admin/courses /admin/courses/:id /admin/erasures /admin/erasures/:id /admin/keys
    /admin/people /admin/people/:id /admin/registrations/:id`,
  "deep-linking": "/choose",
  embedded: "/course /course/*rest /enter /space",
  entering: "/course/feedback /ended /ended/*rest /ended/:account",
  grades: "/course/grades /course/grades/old-column /course/grades/resend",
  grading: "/course/grading /course/grading/preview",
  grid: "/course/analytics /course/grid /course/grid/cell /course/grid/import /course/grid/import/difference /course/grid/print",
  languages: `/course/guide/attendance /course/guide/grades /course/guide/grading /course/guide/home /course/guide/learner
    /course/guide/people /course/guide/recordings /course/guide/sessions /course/guide/settings`,
  home: "/course/home /course/set-up /course/unmatched",
  invitation: "/lti/register",
  learner: "/course/my-sessions /course/calendar",
  branding: "/admin/registrations/:id/look",
  recordings: `/course/recordings /course/recordings/text /course/alerts`,
  lessons: `/check-in/:id /course/check-in /course/check-in/screen /course/here /course/unplanned /admin/mails /course/mails /course/my-mails /mail/:token`,
  people: "/course/learner /course/people /course/people/join /course/people/sections /course/register",
  sessions: "/course/sessions /course/sessions/change /course/sessions/plan /course/sessions/plan/dates",
  settings: `/door /admin/registrations/:id/defaults /admin/spaces /course/audit /course/settings /course/settings/reset
    /course/settings/space`,
  waiting: "/waiting",
};

/** Files, parts of pages for scripts, addresses for machines, and redirects. */
const noPages = `/.well-known/security.txt /admin/log-in/back /admin/usage/file /brand/:name /calendar/:name
  /course/alive /course/calendar-file /course/grades.csv /course/grades.xlsx /course/grades/progress
  /course/grading/example /course/grading/live /course/grading/progress /course/grid.csv /course/grid.xlsx
  /course/people/progress /course/recordings/open /course/recordings/text.txt /course/sessions/progress
  /course/settings/preview /healthz /api/v1/courses
  /api/v1/courses/:course/attendance /api/v1/courses/:course/grades /api/v1/courses/:course/people
  /api/v1/courses/:course/sessions /api/v1/openapi.json /lti/config/canvas.json /metrics /mine/:course /readyz /waiting/again`;

const words = (text: string) => text.split(/\s+/);

test("every address that shows a page is checked in exactly one file", async () => {
  const routes = await readFile(join(import.meta.dirname, "../stories/routes.txt"), "utf8");
  const shown = [...routes.matchAll(/^GET (.+)$/gm)].map(([, path]) => path);
  const listed = [...Object.values(pages), noPages].flatMap(words);
  expect(listed.toSorted()).toEqual(shown.toSorted());
});

test("every file that is named here checks pages", async () => {
  const files = await readdir(import.meta.dirname);
  for (const name of Object.keys(pages)) {
    const file = files.find((one) => [`${name}.test.ts`, `${name}.thorough.test.ts`].includes(one));
    expect([name, file]).toEqual([name, expect.any(String)]);
    const text = await readFile(join(import.meta.dirname, file ?? ""), "utf8");
    expect([name, /\b(?:findings\w+|axeFindings)\(/.test(text)]).toEqual([name, true]);
  }
});
