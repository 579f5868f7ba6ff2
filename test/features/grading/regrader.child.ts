import { regradeCourse } from "../../../src/modules/grading/regrade.ts";
import { openGradingCourse } from "../../support/builders/grading-course.ts";
import { until } from "../../support/until.ts";
import { required } from "../../support/required.ts";

/** A process of the tool that regrades courses until it is ended. */
const url = required(process.argv.slice(2)[0]);
// Ends with the test that started it, however that ends.
process.on("disconnect", () => process.exit());
const course = await openGradingCourse(url);
process.send?.("ready");
for (;;) await until(Infinity, "a course is due", () => regradeCourse(course.deps), 5);
