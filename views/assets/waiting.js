// Keeps the waiting page up to date and moves on by itself. It listens to a stream of events; where none comes through
// (a proxy that holds answers back, a tool that restarts) it asks every few seconds until the stream works again.
// Each request carries what proves whose place it is: the browser's cookie, or the ticket in the page's own form.
{
  const silentFor = 5_000;
  const deadAfter = 40_000; // the stream gives a sign of life every 15 s
  const asksEvery = 3_000;
  const asksAtLeastEvery = 10_000;
  const listensAgainAfter = 10_000;
  const listensAgainAtLeastAfter = 120_000;
  const breaksAtMost = 5;
  const saysEvery = 20_000;
  const lostAfter = 60_000;

  const byId = (id) => document.getElementById(id);
  const [box, place, time, bar, said] = ["waiting", "place", "time", "progress", "said"].map(byId);
  const form = byId("by-hand");
  form.hidden = origin !== "null"; // from there nothing can be asked but by hand
  const openedAt = Date.now();
  let heardAt = openedAt;
  let leaving = false;

  // A page that carries its ticket answers a form. From now on it has an address, and the tab's history has the ticket.
  const ticket = form.elements.ticket?.value;
  if (ticket !== undefined) history.replaceState({ ...history.state, ticket }, "", form.dataset.address);
  /** Asks for something about this place. */
  const request = (path, accept, signal) =>
    fetch(path, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { Accept: accept },
      signal,
    });

  /* What it shows. */

  let kind = time.className;
  let saidAt = openedAt;
  let lastSaid = "";

  // Screen readers hear the place now and then, and at once when something else than the numbers changes.
  const say = (text, atOnce) => {
    if (text === lastSaid || (!atOnce && Date.now() - saidAt < saysEvery)) return;
    saidAt = Date.now();
    lastSaid = text;
    said.textContent = text;
  };
  const put = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
  };
  const showTime = (text, isTrouble) => {
    put(time, text);
    const before = kind;
    kind = isTrouble ? "state waiting" : "";
    time.className = kind;
    return before !== kind;
  };

  // The longest line this page has seen is the whole way; a reload keeps it. The bar never goes back.
  let most = typeof history.state?.most === "number" ? history.state.most : 0;
  const showProgress = (before, isTrouble) => {
    if (before > most) {
      most = before;
      history.replaceState({ ...history.state, most }, "");
    }
    bar.max = most + 1;
    bar.value = Math.max(bar.value, most - before);
    bar.hidden = isTrouble; // nothing moves, and an empty bar says nothing
  };

  const moveOn = () => {
    if (leaving) return;
    leaving = true;
    location.reload();
  };
  const show = (words) => {
    if (words.state === "ready" || words.state === "waiting") {
      document.title = words.title;
      put(place, words.place);
      const changed = showTime(words.time, words.trouble);
      showProgress(words.before, words.trouble);
      say(`${words.place} ${words.time}`.trim(), changed || words.state === "ready");
      if (words.state === "ready") moveOn();
      return;
    }
    // A newer tab has the place. The browser closes only a tab that a page opened; any other shows why.
    if (words.state === "gone") window.close();
    // The page's address shows how it ended; never in a quick circle, should the two disagree.
    setTimeout(moveOn, Math.max(0, openedAt + 1_000 - Date.now()));
  };
  const states = new Set(["waiting", "ready", "entered", "failed", "gone"]);
  const hear = (text) => {
    const words = JSON.parse(text);
    if (!states.has(words.state)) throw new Error("no state");
    heardAt = Date.now();
    show(words);
  };

  /* Asking. */

  let asking = false;
  let failures = 0;
  let nextAsk = 0;

  const ask = async () => {
    try {
      const answer = await request("/waiting/state", "application/json", AbortSignal.timeout(10_000));
      hear(await answer.text());
      failures = 0;
    } catch {
      failures += 1;
    }
    if (!asking || leaving) return;
    const pause = Math.min(asksEvery * 1.5 ** failures, asksAtLeastEvery);
    nextAsk = setTimeout(ask, pause * (0.8 + 0.4 * Math.random()));
  };
  const startAsking = () => {
    if (asking) return;
    asking = true;
    void ask();
  };
  const stopAsking = () => {
    asking = false;
    clearTimeout(nextAsk);
  };

  /* Listening. */

  /** What is done with an event of the stream, by its name, and with the pause (ms) it asks for before the next try. */
  const readEvents = async (body, events) => {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (rest + part.value).split("\n\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: ?(.*)/s)));
        if (fields.retry !== undefined) events.retry(Number(fields.retry));
        if (fields.data !== undefined) events[fields.event ?? "message"]?.(fields.data);
      }
    }
  };

  let listensAgain = listensAgainAfter;
  let breaks = 0;
  let retry = 2_000;
  const listen = async () => {
    const stop = new AbortController();
    let watchdog = 0;
    let silent = false;
    let refused = false;
    const expectWithin = (ms) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => {
        silent = true;
        stop.abort();
      }, ms);
    };
    const works = () => {
      heardAt = Date.now();
      listensAgain = listensAgainAfter;
      breaks = 0;
      stopAsking();
      expectWithin(deadAfter);
    };
    expectWithin(silentFor);
    try {
      const answer = await request("/waiting/events", "text/event-stream", stop.signal);
      refused = !answer.ok;
      if (!refused)
        await readEvents(answer.body, {
          message: (data) => {
            works();
            hear(data);
            if (leaving) stop.abort();
          },
          beat: works,
          // Enough other tabs listen for this place.
          elsewhere: () => {
            listensAgain = listensAgainAtLeastAfter;
            refused = true;
          },
          retry: (ms) => {
            retry = ms;
          },
        });
    } catch {
      // The connection broke, or was given up.
    }
    clearTimeout(watchdog);
    if (leaving) return;
    breaks += 1;
    // A tool that restarts is there again in a moment; anything else takes longer.
    if (!silent && !refused && breaks <= breaksAtMost) {
      setTimeout(listen, retry);
      return;
    }
    startAsking();
    setTimeout(listen, listensAgain);
    listensAgain = Math.min(listensAgain * 2, listensAgainAtLeastAfter);
  };

  void listen();
  setInterval(() => {
    if (leaving || Date.now() - heardAt < lostAfter) return;
    showTime(box.dataset.offline, true);
    say(box.dataset.offline, true);
  }, 5_000);
  // Back from the classroom by the browser's own memory of this page.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    leaving = false;
    moveOn();
  });
}
