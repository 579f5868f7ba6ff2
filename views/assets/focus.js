// Puts the focus where the answer is: what is there when a page opens is not read out by itself. On the first field with
// a mistake, else on what the page says first. Without this file the answer stands at the top all the same.
{
  const answer = document.querySelector('[aria-invalid="true"]') ?? document.querySelector("[data-focus]");
  answer?.focus();
}
