export const label = {
  alone: "{{label}}:",
  value: "{{label}}: {{value}}",
};
