import type { Router } from "express";
import { z } from "zod";
import { coursePages } from "../../../web/course-pages.ts";
import { readNews } from "../../../web/page-news.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { filterFields, readGridFilter, readPressed } from "./grid-form.ts";
import { correctAsPosted } from "./learner-correction.ts";
import { learnerPage } from "./learner-page.ts";
import { readRegister } from "./register-form.ts";

/** One learner's attendance (field `person`: our id), for instructors. */
export function learnerRoutes(app: AttendanceApp): Router {
  const pages = coursePages(app);
  // From the table it is asked for with the ids of all rows.
  const form = { maxBytes: 256 * 1024 };
  const fields = (posted: unknown) => ({
    person: readPressed(posted).personId,
    filter: readGridFilter(posted),
  });
  const learner = pages.read(
    "/course/learner",
    {
      ...{ who: "grades", fields, form, news: readNews(z.literal("saved")) },
      address: ({ person, filter }) => ({ ...filterFields(filter), person }),
    },
    ({ visit, fields: wanted }, news) =>
      learnerPage(app, visit, wanted, { saved: news === "saved", refused: null }),
  );
  pages.change(
    "/course/learner/correct",
    {
      who: "corrections",
      fields: (posted) => ({ ...fields(posted), correction: readRegister(posted) }),
      form,
    },
    async ({ visit, fields: { correction, ...wanted } }) => {
      const { person, filter } = wanted;
      const refused = await correctAsPosted(app, visit, person, correction);
      if (refused === null) return learner.after({ ...filterFields(filter), person }, "saved");
      return learnerPage(app, visit, wanted, { saved: false, refused });
    },
  );
  return pages.router;
}
