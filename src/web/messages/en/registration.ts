/** Registering the tool in an LMS. */
export const registration = {
  title: "Register the classroom tool",
  done: "The tool is registered",
  doneText:
    "{{platform}} and this tool now know each other. If your LMS shows the tool as pending, activate it there. You can close this window.",
  close: "Close this window",
};
