import { describe, expect, test } from "vitest";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { createInvitation } from "../../src/modules/registration/registrations.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { sessionFolder, sessionIdIn } from "../../src/web/session-address.ts";
import { hiddenField } from "../support/browser/dialog.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const world = await forAllTests(startTinyWorld());

/** Somebody who opened the course link. `folder`: where pages of their session are. */
type Somebody = { page: Seen; visitor: Visitor; token: string; folder: string };

const lti = "https://purl.imsglobal.org/spec/lti/claim";
const courseUrl = "https://lms.example/course/view.php?id=9";

async function comes(sub: string, roles?: readonly string[]): Promise<Somebody> {
  const person = claimsOf({
    sub,
    name: `${sub} Somebody`,
    course: "9",
    ...(roles === undefined ? {} : { roles }),
  });
  const { visitor, ...page } = await world.launch({
    claims: {
      ...person,
      [`${lti}/launch_presentation`]: { document_target: "iframe", return_url: courseUrl },
    },
  });
  const token = hiddenField(page, "session");
  return { page, visitor, token, folder: sessionFolder(sessionIdIn(token)) };
}

/** A request with exactly these cookies; redirects are shown. */
const asks = (path: string, cookie: string, init: RequestInit = {}) =>
  fetch(world.toolUrl + path, { redirect: "manual", ...init, headers: { accept: "text/html", cookie } });

const cookieOf = ({ token }: Pick<Somebody, "token">) => `v_${sessionIdIn(token)}=${token}`;

describe("a page of a course", () => {
  test("has an address to which the launch leads, and which shows it again", async () => {
    const { page, visitor, folder } = await comes("ina");
    expect(new URL(page.url).pathname).toBe(`${folder}/home`);
    const again = await visitor.open(`${world.toolUrl}${folder}/grades`);
    expect([again.status, /<h1>([^<]*)/.exec(again.text)?.[1]]).toEqual([200, "Grades"]);
    expect(again.text).toContain(`<a href="${folder}/people"`);
  });

  test("that first asks for the course's time zone then leads to the requested page", async () => {
    const ina = await comes("ina");
    const asking = await ina.visitor.open(`${world.toolUrl}${ina.folder}/sessions/plan`);
    expect(textOf(asking)).toContain("First choose the course’s time zone.");
    const zone = { action: "/course/sessions/zone", fields: { zone: "Europe/Paris" } };
    const form = await ina.visitor.submit(asking, zone);
    expect(new URL(form.url).pathname).toBe(`${ina.folder}/sessions/plan`);
    expect(textOf(form)).toContain("First date");
  });

  test("shows nothing to a visitor with only its address, and leads to the course", async () => {
    const { folder } = await comes("ina");
    const answer = await asks(`${folder}/people`, "");
    const text = await answer.text();
    expect(answer.status).toBe(401);
    expect(textOf({ text })).toContain("This page is open in another tab or browser.");
    expect(text).not.toContain("Course 9");
    expect(text).toContain("/assets/fill-page.js");
  });

  test("shows nothing to another person in the same course and browser", async () => {
    const [one, other] = [await comes("ina"), await comes("otto", [learnerRole])];
    const both = `${cookieOf(one)}; ${cookieOf(other)}`;
    expect((await asks(`${one.folder}/people`, both)).status).toBe(200);
    expect((await asks(`${other.folder}/people`, both)).status, "a learner at a page of instructors").toBe(
      403,
    );
    const swapped = `v_${sessionIdIn(one.token)}=${other.token}`;
    expect((await asks(`${one.folder}/home`, swapped)).status).toBe(401);
  });

  test("is shown even if a neighbouring host has planted a cookie of the same name", async () => {
    const ina = await comes("ina");
    const planted = `v_${sessionIdIn(ina.token)}=${sessionIdIn(ina.token)}.${"A".repeat(43)}`;
    expect((await asks(`${ina.folder}/home`, planted)).status).toBe(401);
    expect((await asks(`${ina.folder}/home`, `${planted}; ${cookieOf(ina)}`)).status).toBe(200);
  });

  test("is shown to a script that sends the session in a header", async () => {
    const ina = await comes("ina");
    const sends = (token: string) =>
      fetch(`${world.toolUrl}${ina.folder}/people`, { headers: { authorization: `Bearer ${token}` } });
    const answer = await sends(ina.token);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    // Forms lead on from there: a link would send no proof.
    expect(text).toContain(`<form method="post" action="${ina.folder}/grades">`);
    expect(text).toContain(`data-address="${ina.folder}/people"`);
    expect((await sends((await comes("ina")).token)).status, "of another session").toBe(401);
  });

  test("that does not exist says so and links to the reader's home during the session, with or without cookies", async () => {
    const ina = await comes("ina");
    const nowhere = `${ina.folder}/nowhere`;
    const sent = await fetch(world.toolUrl + nowhere, {
      headers: { accept: "text/html", authorization: `Bearer ${ina.token}` },
    });
    for (const answer of [await asks(nowhere, cookieOf(ina)), sent]) {
      const text = await answer.text();
      expect(answer.status).toBe(404);
      expect(textOf({ text })).toContain("There’s no page here. You’re still signed in.");
      expect(text).toContain(`href="${ina.folder}/home"`);
    }
    const stranger = await (await asks(nowhere, "")).text();
    expect(stranger).not.toContain("still signed in");
    await ina.visitor.submit(ina.page, { action: "/course/sign-out" });
    expect((await asks(nowhere, cookieOf(ina))).status, "after signing out").toBe(401);
  });

  test("says that it has ended once its person has signed out, at a page with an address", async () => {
    const ina = await comes("ina");
    const out = await ina.visitor.submit(ina.page, { action: "/course/sign-out" });
    expect([out.status, new URL(out.url).pathname]).toEqual([200, `${ina.folder}/signed-out`]);
    expect(textOf(out)).toContain("You have signed out");
    expect(ina.visitor.cookiesFor(`${world.toolUrl}${ina.folder}/home`)).toBe("");
    const again = await ina.visitor.open(out.url);
    expect([again.status, textOf(again).includes("Course 9")]).toEqual([200, true]);
    const kept = await asks(`${ina.folder}/home`, cookieOf(ina));
    expect(kept.status).toBe(410);
    const text = await kept.text();
    expect(textOf({ text })).toContain("You have signed out");
    expect(text).not.toContain("/assets/fill-page.js");
  });

  test("that comes back from the browser's cache learns whether its session still exists", async () => {
    const ina = await comes("ina");
    const alive = async (headers: Record<string, string>) =>
      (await fetch(`${world.toolUrl}${ina.folder}/alive`, { headers })).status;
    const authorization = `Bearer ${ina.token}`;
    expect(await alive({ authorization })).toBe(204);
    expect(await alive({ cookie: cookieOf(ina) })).toBe(204);
    expect(await alive({})).toBe(401);
    expect(await alive({ authorization: `Bearer ${sessionIdIn(ina.token)}.${"A".repeat(43)}` })).toBe(401);
    await ina.visitor.submit(ina.page, { action: "/course/sign-out" });
    expect(await alive({ authorization })).toBe(410);
    expect(await alive({})).toBe(410);
  });

  test("of an ended session says so even to a stranger, without its course; otherwise it leads to the home", async () => {
    const ina = await comes("ina");
    const early = await asks(`${ina.folder}/signed-out`, "");
    expect([early.status, early.headers.get("location")]).toEqual([303, `${ina.folder}/home`]);
    await comes("ina");
    await ina.visitor.submit(ina.page, { action: "/course/sign-out" });
    const text = await (await asks(`${ina.folder}/signed-out`, "")).text();
    expect(textOf({ text })).toContain("You have signed out");
    expect(text).not.toContain("Course 9");
    expect(text, "a form that ends the others").not.toContain("<form");
  });

  test("offers at sign-out to end the person's other sessions, and leads to the same page", async () => {
    const [one, other] = [await comes("iris"), await comes("iris")];
    const out = await one.visitor.submit(one.page, { action: "/course/sign-out" });
    expect(textOf(out)).toContain("You’re still signed in here in another tab");
    expect((await asks(`${other.folder}/home`, cookieOf(other))).status).toBe(200);
    const everywhere = await one.visitor.submit(out, { action: "/course/signed-out" });
    expect(new URL(everywhere.url).pathname).toBe(`${one.folder}/signed-out`);
    expect(textOf(everywhere)).toContain("All your pages of this course are closed");
    expect((await asks(`${other.folder}/home`, cookieOf(other))).status).toBe(410);
  });

  test("is not shown by the cookie with which somebody signed out", async () => {
    const ina = await comes("ina");
    const body = new URLSearchParams({ session: ina.token });
    const out = await asks(`${ina.folder}/sign-out`, cookieOf(ina), { method: "POST", body });
    const set = out.headers.getSetCookie();
    expect(set[0]).toMatch(new RegExp(`^v_[\\w-]+=; .*Path=${ina.folder};.*Expires=Thu, 01 Jan 1970`));
    expect(set.at(-1)).toContain(`Path=${ina.folder}/signed-out; `);
    expect(out.headers.get("clear-site-data"), "also of pages kept for Back").toBe('"cache"');
    expect((await asks(`${ina.folder}/signed-out`, cookieOf(ina), { method: "POST", body })).status).toBe(
      303,
    );
    expect((await asks(`${ina.folder}/home`, cookieOf(ina))).status).toBe(410);
  });

  test("accepts a form only from the same session", async () => {
    const [one, other] = [await comes("ina"), await comes("ina")];
    const body = new URLSearchParams({ session: other.token, zone: "Europe/Rome" });
    const answer = await asks(`${one.folder}/sessions/zone`, cookieOf(one), { method: "POST", body });
    expect(answer.status).toBe(401);
    const bare = new URLSearchParams({ zone: "Europe/Rome" });
    expect(
      (await asks(`${one.folder}/sessions/zone`, cookieOf(one), { method: "POST", body: bare })).status,
    ).toBe(401);
    expect((await world.courseOf("9")).timeZone).not.toBe("Europe/Rome");
  });
});

describe("a change", () => {
  const changes = (who: Somebody, zone: string) =>
    asks(`${who.folder}/sessions/zone`, cookieOf(who), {
      method: "POST",
      body: new URLSearchParams({ session: who.token, zone }),
    });

  test("leads to its page, which says so once", async () => {
    const ina = await comes("ina");
    const answer = await changes(ina, "Europe/Paris");
    expect(answer.status).toBe(303);
    const address = answer.headers.get("location") ?? "";
    expect(address).toMatch(new RegExp(`^${ina.folder}/sessions\\?news=[\\w-]+$`));
    const shows = async (path: string) => textOf({ text: await (await asks(path, cookieOf(ina))).text() });
    const said = /Time zone saved/;
    expect(await shows(address.replace("/sessions?", "/grades?")), "at another page").not.toMatch(said);
    expect(await shows(address)).toMatch(said);
    expect(await shows(address), "a second time").not.toMatch(said);
  });

  test("answers with the page itself if the browser sends no cookie", async () => {
    const ina = await comes("ina");
    const body = new URLSearchParams({ session: ina.token, zone: "Europe/Paris" });
    const answer = await asks(`${ina.folder}/sessions/zone`, "", { method: "POST", body });
    const text = await answer.text();
    expect([answer.status, /<h1>([^<]*)/.exec(text)?.[1]]).toEqual([200, "Sessions"]);
    expect(text, "forms lead on").toContain(`action="${ina.folder}/grades"`);
    expect(text, "where it is").toContain(`data-address="${ina.folder}/sessions"`);
  });

  test("remembers where the person came from", async () => {
    const ina = await comes("ina");
    const page = await ina.visitor.open(`${world.toolUrl}${ina.folder}/unplanned?back=sessions`);
    const saved = await ina.visitor.submit(page, {
      action: "/course/unplanned/rule",
      fields: { answer: "ask", presentFrom: "50", lateAfter: "10" },
    });
    expect(new URL(saved.url).searchParams.get("back")).toBe("sessions");
    expect(textOf(saved)).toContain("Saved");
    expect(saved.text, "back").toContain(`<a href="${ina.folder}/sessions" class="button plain small"`);
  });

  test("that is refused shows the form again, with what was typed", async () => {
    const ina = await comes("ina");
    await changes(ina, "Europe/Paris");
    const page = await ina.visitor.open(`${world.toolUrl}${ina.folder}/sessions/plan`);
    const refused = await ina.visitor.submit(page, {
      action: "/course/sessions/plan/dates",
      fields: { minutes: "many", act: "preview" },
    });
    expect([refused.status, new URL(refused.url).pathname, refused.text.includes('value="many"')]).toEqual([
      422,
      `${ina.folder}/sessions/plan/dates`,
      true,
    ]);
  });
});

describe("a form that requests a page", () => {
  test("leads to the page's address", async () => {
    const ina = await comes("ina");
    const body = new URLSearchParams({ session: ina.token, search: "otto", role: "" });
    const answer = await asks(`${ina.folder}/people`, cookieOf(ina), { method: "POST", body });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `${ina.folder}/people?search=otto`,
    ]);
  });

  test("is answered directly if its address would be too long for a proxy", async () => {
    const ina = await comes("ina");
    const body = new URLSearchParams({ session: ina.token, note: "x".repeat(5_000) });
    expect((await asks(`${ina.folder}/home`, cookieOf(ina), { method: "POST", body })).status).toBe(200);
  });
});

describe("a preview of what somebody typed", () => {
  /** Somebody has typed a plan, and looks at its dates. */
  async function plans(title: string) {
    const ina = await comes("ina");
    const zone = new URLSearchParams({ session: ina.token, zone: "Europe/Paris" });
    await asks(`${ina.folder}/sessions/zone`, cookieOf(ina), { method: "POST", body: zone });
    const form = await ina.visitor.open(`${world.toolUrl}${ina.folder}/sessions/plan`);
    const dates = await ina.visitor.submit(form, {
      action: "/course/sessions/plan/dates",
      fields: { title, act: "preview", date: "2031-03-04", time: "10:00", minutes: "45" },
    });
    return { ina, form, dates };
  }
  const note = "You have unsaved changes.";

  test("has an address that shows it again, and Back finds the form as it was typed", async () => {
    const { ina, form, dates } = await plans("Seminar");
    expect(new URL(dates.url).pathname).toBe(`${ina.folder}/sessions/plan/dates`);
    expect(new URL(dates.url).search, "nothing typed is in the address").toMatch(/^\?typed=[\w-]{16}$/);
    expect(textOf(dates)).toContain("Seminar");
    const again = await ina.visitor.open(dates.url);
    const batchOf = (page: Seen) => /name="batch" value="([^"]+)"/.exec(page.text)?.[1];
    expect([again.status, batchOf(again)]).toEqual([200, batchOf(dates)]);
    const back = await ina.visitor.open(form.url);
    expect(textOf(back)).toContain(note);
    expect([back.text.includes('value="Seminar"'), back.text.includes('value="45"')]).toEqual([true, true]);
  });

  test("leaves past dates unticked, and all days off that two instructors name", async () => {
    const { ina } = await plans("Term");
    const days = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
    const form = await ina.visitor.open(`${world.toolUrl}${ina.folder}/sessions/plan`);
    const often = { repeats: "week", interval: "1", end: "count", count: "5", day: "" };
    const fields = { title: "Term", date: days(-10), time: "12:00", minutes: "45", ...often };
    const action = "/course/sessions/plan/dates";
    const dates = await ina.visitor.submit(form, { action, fields: { ...fields, act: "preview" } });
    const ticked = [...dates.text.matchAll(/value="([\d-]+)"\s+checked/g)].map(([, date]) => date);
    expect(ticked, "of five, those to come").toEqual([4, 11, 18].map(days));
    const off = (offFrom: string) =>
      ina.visitor.submit(dates, { action, fields: { act: "off", offFrom, take: days(18) } });
    await Promise.all([off(days(4)), off(days(11))]);
    await off(days(11));
    const { daysOff = [] } = await world.courseOf("9");
    expect(daysOff.toSorted()).toEqual([days(4), days(11)]);
  });

  test("leads to the form once it is saved, and plans once however often it is sent", async () => {
    const { ina, form, dates } = await plans("Only once");
    const makes = () =>
      ina.visitor.submit(dates, {
        action: "/course/sessions/plan/dates",
        fields: { act: "make", take: "2031-03-04" },
      });
    const made = await makes();
    await makes();
    expect(new URL(made.url).pathname).toBe(`${ina.folder}/sessions`);
    const planned = await world.stores.sessionPlans.listOfCourse((await world.courseOf("9")).id, 100);
    expect(planned.filter(({ title }) => title === "Only once")).toHaveLength(1);
    const late = await ina.visitor.open(dates.url);
    expect(new URL(late.url).pathname).toBe(new URL(form.url).pathname);
    expect(late.text).not.toContain("Only once");
  });

  test("belongs to one session, and is not shown in another one of the same person", async () => {
    const { dates } = await plans("Secret plan");
    const other = await comes("ina");
    const name = new URL(dates.url).search;
    const seen = await other.visitor.open(`${world.toolUrl}${other.folder}/sessions/plan/dates${name}`);
    expect(new URL(seen.url).pathname).toBe(`${other.folder}/sessions/plan`);
    expect(seen.text).not.toContain("Secret plan");
  });

  test("is answered directly if the browser sends no cookie", async () => {
    const ina = await comes("ina");
    const body = new URLSearchParams({ session: ina.token, act: "preview", title: "No cookie" });
    const answer = await asks(`${ina.folder}/sessions/plan/dates`, "", { method: "POST", body });
    expect([answer.status, (await answer.text()).includes("No cookie")]).toEqual([422, true]);
  });
});

describe("a tab next to the frame", () => {
  const opens = (who: Somebody, to: string) =>
    asks(`${who.folder}/tab`, "", { method: "POST", body: new URLSearchParams({ session: who.token, to }) });

  test("gets the session, and shows the requested page", async () => {
    const ina = await comes("ina");
    const answer = await opens(ina, "/grades?state=waiting");
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `${ina.folder}/grades?state=waiting`,
    ]);
    const [set = ""] = answer.headers.getSetCookie();
    expect(set).toContain(`Path=${ina.folder}; `);
    expect((await asks(`${ina.folder}/grades`, set.split(";")[0] ?? "")).status).toBe(200);
  });

  test("is offered in a frame, but not at top level", async () => {
    const ina = await comes("ina");
    const shown = async (dest: string) => {
      const headers = { cookie: cookieOf(ina), accept: "text/html", "sec-fetch-dest": dest };
      const answer = await fetch(`${world.toolUrl}${ina.folder}/grades?state=waiting&launched=1`, {
        headers,
      });
      const [form = null] = /<form id="own-tab"[^]*?<\/form>/.exec(await answer.text()) ?? [];
      return form === null ? null : /name="to" value="([^"]*)"/.exec(form)?.[1];
    };
    expect(await shown("iframe")).toBe("/grades?state=waiting");
    expect(await shown("document")).toBeNull();
  });

  test.each(["https://evil.example/", "//evil.example/", "/..//evil.example", "grades", "/home#x"])(
    "opened for %s leads nowhere else",
    async (to) => {
      const ina = await comes("ina");
      const location = (await opens(ina, to)).headers.get("location") ?? "";
      expect(new URL(location, world.toolUrl).origin).toBe(world.toolUrl);
      expect(location.startsWith(`${ina.folder}/`)).toBe(true);
    },
  );
});

describe("The pages of a course", () => {
  const policyOf = (response: Response) =>
    /frame-ancestors ([^;]*)/.exec(response.headers.get("content-security-policy") ?? "")?.[1];

  const post = (path: string, fields: Record<string, string>) =>
    fetch(`${world.toolUrl}${path}`, { method: "POST", body: new URLSearchParams(fields) });

  test("can be framed only by their own LMS, once a launch has proven that they are that LMS's", async () => {
    const own = world.registration.issuer;
    const told = {
      [`${lti}/launch_presentation`]: { document_target: "iframe", return_url: `${own}/course/7` },
    };
    const page = await world.launch({ claims: { ...claimsOf({ sub: "ina", course: "framed" }), ...told } });
    const session = hiddenField(page, "session");
    for (const path of ["set-up", "grades", "settings", "sessions"].map((name) => `/course/${name}`))
      expect([path, policyOf(await post(path, { session }))]).toEqual([path, own]);
    const claims = { ...claimsOf({ sub: "ann", roles: [learnerRole], course: "framed" }), ...told };
    const learner = hiddenField(await world.launch({ claims }), "session");
    expect(policyOf(await post("/course/home", { session: learner }))).toBe(own);
    expect(policyOf(await post("/course/grades", { session: learner })), "a refusal, too").toBe(own);
  });

  test("may be framed by any LMS while theirs is unknown, but not pages that nobody frames", async () => {
    const beforeChange = hiddenField(
      await world.launch({ claims: claimsOf({ sub: "ina", course: "bio" }) }),
      "session",
    );
    expect(policyOf(await post("/course/home", { session: beforeChange }))).toBe("https: http:");
    expect(policyOf(await post("/course/home", { session: "forged" }))).toBe("https: http:");
    expect(policyOf(await fetch(`${world.toolUrl}/calendar/none.ics`))).toBe("'none'");
    const { url } = await createInvitation(
      { ...world.stores, publicUrl: world.toolUrl, clock: systemClock, ids: randomIds },
      { account: "production", hours: 1 },
    );
    const invitation = await fetch(url);
    expect([invitation.status, policyOf(invitation)]).toEqual([200, "'none'"]);
  });
});
