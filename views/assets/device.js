// Phones and tablets open the classroom in a tab. Their requests say what they are, all but those of iPadOS, which calls
// itself Macintosh: a computer of that name has no touch screen. Forms with a field "device" say it for it.
if (navigator.maxTouchPoints > 1 && navigator.userAgent.includes("Macintosh")) {
  document.documentElement.classList.add("tablet");
  const tell = () => {
    for (const field of document.querySelectorAll('input[name="device"]')) field.value = "tablet";
  };
  // Before any deferred script or module sends a form.
  if (document.readyState === "loading") document.addEventListener("readystatechange", tell, { once: true });
  else tell();
}
