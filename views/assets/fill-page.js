// Somebody came to a page's address by Back, Forward or F5, and the browser keeps no cookie that proves whose it is. The tab's own
// history has the session (keep-address.js): the page is fetched with it, and put in place of what stands here for all others.
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
    // A script that was parsed so never runs; a new one does, and they keep their order.
    for (const script of document.querySelectorAll("script")) {
      const runs = document.createElement("script");
      for (const { name, value } of script.attributes) runs.setAttribute(name, value);
      runs.async = false;
      if (runs.src === own) script.remove();
      else script.replaceWith(runs);
    }
    // To its mark; an address that differs in nothing else loads nothing.
    if (location.hash !== "") location.replace(location.href);
  };

  if (typeof session === "string" && session.startsWith(`${id}.`)) {
    main.hidden = true;
    Promise.all([fetched(), parsed]).then(([page]) => show(page)).catch(() => {
      main.hidden = false;
    });
  }
}
