import { expect, test } from "vitest";
import { z } from "zod";
import type { App } from "../../src/app.ts";
import type { CoursePages } from "../../src/web/course-pages.ts";
import type { PageContext } from "../../src/web/declared-page.ts";
import type { PageOf } from "../../src/web/course-words.ts";
import { defineView } from "../../src/web/view.ts";

type Shown = PageOf<typeof model>;
const view = defineView<Shown>("course/recordings");
const asked = { who: "member", fields: z.object({ page: z.number() }) } as const;

function model(
  _app: unknown,
  { words }: PageContext<"member", { page: number }>,
  said: "saved" | "refused" | null,
) {
  return Promise.resolve({ title: words.t("nav.home"), count: 1, said });
}

test("the compiler checks a declared page's template, model, news and acts against each other", () => {
  const declare = (pages: CoursePages<App>) => {
    const news = z.enum(["saved"]);
    const page = pages.page("/course/a", { ...asked, news, view, model });
    page.act("/course/a/save", {
      who: "teaching",
      run: ({ after, again }) => {
        // @ts-expect-error an unknown news
        after("refused");
        // @ts-expect-error an unknown error
        again("lost", 409);
        return Promise.resolve(after("saved"));
      },
    });
    const other = defineView<Shown & { more: string }>("course/recordings");
    // @ts-expect-error the template shows more than the model has
    pages.page("/course/b", { ...asked, view: other, model });
    const hiding = () => Promise.resolve({ title: "", zone: "" });
    pages.page("/course/c", {
      ...asked,
      view: defineView<PageOf<typeof hiding>>("course/recordings"),
      // @ts-expect-error it hides the zone of the frame
      model: hiding,
    });
    // @ts-expect-error every page has a title
    pages.page("/course/d", { ...asked, view, model: () => Promise.resolve({ count: 1 }) });
  };
  expect(declare).toBeTypeOf("function");
});
