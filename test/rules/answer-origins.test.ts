import { expect, test } from "vitest";
import { answerOrigins } from "../../src/domain/lms-product.ts";
import { capabilitiesOf } from "../../src/lms/products/products.ts";

test.each([
  ["moodle", "https://moodle.example/mod/lti/contentitem_return.php?course=2", ["https://moodle.example"]],
  ["moodle", "http://localhost:8080/mod/lti/contentitem_return.php", ["http://localhost:8080"]],
  [
    "canvas",
    "https://school.instructure.com/courses/1/deep_linking_response",
    ["https://school.instructure.com"],
  ],
  ["other", "https://lms.example/return", ["https://lms.example", "https:"]],
] as const)("an answer to a dialog of %s at %s may lead to %j", (family, returnUrl, origins) => {
  expect(answerOrigins(capabilitiesOf({ family }), returnUrl)).toEqual(origins);
});
