// Puts the Space's frame into the page. On a tablet the frame stays empty, and a page at top level redirects to the Space: the
// most reliable way in (interface document, part 1).
{
  const inside = document.getElementById("inside");
  const isTablet = document.documentElement.classList.contains("tablet");
  if (isTablet) inside.content.querySelector("iframe").removeAttribute("src");
  document.querySelector(".frame noscript").remove();
  inside.replaceWith(inside.content);
  if (isTablet && window.parent === window) {
    const form = document.getElementById("tab");
    form.removeAttribute("target");
    form.removeAttribute("rel");
    form.elements.device.value = "tablet";
    form.submit();
  }
}
