// After Back, Forward or F5 in a browser that keeps no cookie, the address alone doesn't prove whose page this is. The tab's history has
// the session (keep-address.js). This script fetches the page with it, and puts it in place of the text for everybody else.
{
  const session = history.state?.session;
  const [, id = ""] = /^\/c\/([\w-]+)\//.exec(location.pathname) ?? [];
  const own = document.currentScript.src;
  const main = document.querySelector("main");

  const fetched = async () => {
    const answer = await fetch(location.pathname + location.search, {
      headers: { Accept: "text/html", Authorization: `Bearer ${session}` },
      credentials: "omit",
    });
    if (!answer.headers.get("Content-Type")?.startsWith("text/html")) throw new Error("no page");
    if (answer.redirected) history.replaceState(history.state, "", answer.url + location.hash);
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  };
  const parsed = new Promise((resolve) => {
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", resolve, { once: true });
    else resolve();
  });
  const show = (page) => {
    document.title = page.title;
    document.documentElement.lang = page.documentElement.lang;
    document.documentElement.dir = page.documentElement.dir;
    document.body.replaceChildren(...page.body.childNodes);
    // Scripts that DOMParser made never run. Copies of them do, in their order.
    for (const script of document.querySelectorAll("script")) {
      const runs = document.createElement("script");
      for (const { name, value } of script.attributes) runs.setAttribute(name, value);
      runs.async = false;
      if (runs.src === own) script.remove();
      else script.replaceWith(runs);
    }
    // Scrolls to the fragment; changing only that loads nothing.
    if (location.hash !== "") location.replace(location.href);
  };

  if (typeof session === "string" && session.startsWith(`${id}.`)) {
    main.hidden = true;
    Promise.all([fetched(), parsed]).then(([page]) => show(page)).catch(() => {
      main.hidden = false;
    });
  }
}
