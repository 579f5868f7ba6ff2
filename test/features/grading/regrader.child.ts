import { regradeCourse } from "../../../src/modules/grading/regrade.ts";
import { openGradingCourse } from "../../support/builders/grading-course.ts";
import { until } from "../../support/until.ts";

/** A process of the tool that computes courses anew until it is ended. */
const [url] = process.argv.slice(2);
if (url === undefined) throw new Error("usage: url");
// Ends with the test that started it, however that ends.
process.on("disconnect", () => process.exit());
const course = await openGradingCourse(url);
process.send?.("ready");
for (;;) await until(Infinity, "a course is due", () => regradeCourse(course.deps), 5);
