/** A name before what it is the name of: languages differ in the space before the colon. */
export const label = {
  alone: "{{label}}:",
  value: "{{label}}: {{value}}",
};
