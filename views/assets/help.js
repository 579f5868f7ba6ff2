// Opens a guide over the page, so that input there stays. With Ctrl, by the middle button or without this file, the guide opens as a
// page.
const dialog = document.createElement("dialog");
dialog.className = "guide-over";
dialog.setAttribute("aria-labelledby", "guide-heading");

const isGuide = (address) => /^\/(c\/[\w-]+|course)\/guide\/\w+$/.test(new URL(address, location.href).pathname);

/** Fetches a guide. The first one also loads their style sheet. */
async function guideAt(address, form) {
  const asks = form === undefined ? {} : { method: "POST", body: new URLSearchParams(new FormData(form)) };
  const answer = await fetch(address, asks);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const guide = page.getElementById("guide");
  if (guide === null) throw new Error("no guide");
  const sheet = page.querySelector('link[href$="/guide.css"]');
  if (document.querySelector('link[href$="/guide.css"]') === null) {
    await new Promise((resolve) => {
      sheet.onload = sheet.onerror = resolve;
      document.head.append(sheet);
    });
  }
  return guide;
}

function show(guide) {
  for (const closes of guide.querySelectorAll('form[method="dialog"]')) closes.hidden = false;
  // The page is open below. A link to it would lose its input.
  guide.querySelector(".ways-back").remove();
  dialog.replaceChildren(guide);
  if (!dialog.isConnected) document.querySelector("main").append(dialog);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  guide.querySelector("button").focus();
}

document.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
  const link = event.target.closest("a[href]");
  const opensTab = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (link === null || opensTab || event.defaultPrevented || !isGuide(link.href)) return;
  event.preventDefault();
  guideAt(link.href).then(show, () => {
    // As without this file, but always in a new tab.
    window.open(link.href, "_blank", "noopener");
  });
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !isGuide(form.action)) return;
  event.preventDefault();
  guideAt(form.action, form).then(show, () => {
    form.target = "_blank";
    form.submit();
  });
});
