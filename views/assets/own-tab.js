// A new tab doesn't share the frame's cookies. So the form "Open in a tab of its own" takes the session along, and so do links that
// somebody opens in a tab. At top level every link does, and the form is useless.
{
  const form = document.getElementById("own-tab");
  const folder = form.action.slice(0, -"/tab".length);
  const here = form.elements.to.value;
  /** If the browser gives the tab the frame's cookies, links need no help, and open behind this tab. */
  let shared = false;

  const opens = (event) => {
    const link = event.target.closest("a[href]");
    if (shared || link === null || link.target !== "" || !link.href.startsWith(`${folder}/`)) return;
    event.preventDefault();
    form.elements.to.value = link.href.slice(folder.length).split("#")[0];
    form.submit();
    form.elements.to.value = here;
  };
  if (window.parent === window) form.hidden = true;
  else {
    document.hasStorageAccess?.().then((has) => {
      shared = has;
    });
    document.addEventListener("auxclick", (event) => event.button === 1 && opens(event));
    document.addEventListener("click", (event) => (event.ctrlKey || event.metaKey || event.shiftKey) && opens(event));
  }
}
