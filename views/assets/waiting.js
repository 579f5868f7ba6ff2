// Keeps the waiting page up to date and moves on automatically. It listens to a stream of events. If the stream fails
// (a proxy buffers answers, the tool restarts), it asks every few seconds until the stream works again.
// Each request proves whose place it is: by the browser's cookie, or the ticket in the page's form.
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

  // A page with a ticket answered a form. This gives it an address, and puts the ticket into the tab's history.
  const ticket = form.elements.ticket?.value;
  if (ticket !== undefined) history.replaceState({ ...history.state, ticket }, "", form.dataset.address);
  /** Requests something about this place in line. */
  const request = (path, accept, signal) =>
    fetch(path, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { Accept: accept },
      signal,
    });

  /* The display. */

  let kind = time.className;
  let saidAt = openedAt;
  let lastSaid = "";

  // Screen readers read the place out now and then, and immediately when more than the numbers changes.
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

  // The bar's full length is the longest line that this page has seen, even before a reload. The bar never moves back.
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
    // A newer tab has the place. The browser closes only a tab that a page opened; other tabs show why.
    if (words.state === "gone") window.close();
    // The page's address shows how it ended. The pause prevents a quick loop if the two disagree.
    setTimeout(moveOn, Math.max(0, openedAt + 1_000 - Date.now()));
  };
  const states = new Set(["waiting", "ready", "entered", "failed", "gone"]);
  const hear = (text) => {
    const words = JSON.parse(text);
    if (!states.has(words.state)) throw new Error("no state");
    heardAt = Date.now();
    show(words);
  };

  /* Polling. */

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

  /* The stream. */

  /** Handles an event of the stream, by its name, and the pause (ms) that it asks for before the next try. */
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
          // Enough other tabs listen for this place already.
          elsewhere: () => {
            listensAgain = listensAgainAtLeastAfter;
            refused = true;
          },
          retry: (ms) => {
            retry = ms;
          },
        });
    } catch {
      // The connection broke, or we gave up.
    }
    clearTimeout(watchdog);
    if (leaving) return;
    breaks += 1;
    // A restarting tool is back in a moment; other causes take longer.
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
  // The person came back from the classroom, and the browser had kept this page.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    leaving = false;
    moveOn();
  });
}
