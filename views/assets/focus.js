// Moves the focus to the answer, because screen readers don't read it out when a page opens: to the first field with a mistake, or to the
// page's first message. Without this file, the answer is still at the top.
{
  const answer = document.querySelector('[aria-invalid="true"]') ?? document.querySelector("[data-focus]");
  answer?.focus();
}
