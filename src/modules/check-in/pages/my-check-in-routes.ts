import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { coursePages } from "../../../web/course-pages.ts";
import { readNews } from "../../../web/page-news.ts";
import type { Codes } from "../codes.ts";
import { takeCode } from "../take-code.ts";
import { myCheckInNews, myCheckInPage, typedIn } from "./my-check-in-page.ts";

const shape = z.object({ code: z.string().max(100).catch("") });

/** /course/check-in: where a learner types the code of the screen in the room, for themselves only; /take takes it. */
export function myCheckInRoutes(app: App & { codes: Codes }): Router {
  const pages = coursePages(app);
  const fields = (posted: unknown) => shape.parse(posted);
  const shown = pages.read(
    "/course/check-in",
    { who: "member", fields, news: readNews(myCheckInNews) },
    ({ visit, fields: { code } }, news) => myCheckInPage(app, visit, typedIn(code), { news }),
  );
  pages.change("/course/check-in/take", { who: "member", fields }, async ({ visit, fields: { code } }) => {
    const taken = await takeCode(app, visit.course, visit.member, code);
    if (taken.kind === "refused") return myCheckInPage(app, visit, typedIn(code), { refused: taken.why });
    const { at, isLate, again } = taken;
    return shown.after({}, { at, status: isLate ? "LATE" : "PRESENT", again });
  });
  return pages.router;
}
