// Keeps the waiting page up to date and moves on by itself. It listens to a stream of events; where none comes through
// (a proxy that holds answers back, a tool that starts anew) it asks every few seconds until the stream works again.
{
  const silentFor = 5_000;
  const deadAfter = 40_000; // the stream gives a sign of life every 15 s
  const asksEvery = 3_000;
  const asksAtLeastEvery = 10_000;
  const listensAgainAfter = 10_000;
  const listensAgainAtLeastAfter = 120_000;
  const saysEvery = 20_000;
  const lostAfter = 60_000;

  const byId = (id) => document.getElementById(id);
  const [box, place, time, bar, said] = ["waiting", "place", "time", "progress", "said"].map(byId);
  byId("by-hand").hidden = true;
  const openedAt = Date.now();
  let heardAt = openedAt;
  let leaving = false;

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
      history.replaceState({ most }, "");
    }
    bar.max = most + 1;
    bar.value = Math.max(bar.value, most - before);
    bar.hidden = isTrouble; // nothing moves, and an empty bar says nothing
  };

  const moveOn = () => {
    if (leaving) return;
    leaving = true;
    location.replace(location.href);
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
      const answer = await fetch(`/waiting/state${location.search}`, {
        headers: { Accept: "application/json" },
        signal: AbortSignal.timeout(10_000),
      });
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

  let listensAgain = listensAgainAfter;
  const listen = () => {
    const source = new EventSource(`/waiting/events${location.search}`);
    let watchdog = 0;
    const giveUp = () => {
      clearTimeout(watchdog);
      source.close();
      if (leaving) return;
      startAsking();
      setTimeout(listen, listensAgain);
      listensAgain = Math.min(listensAgain * 2, listensAgainAtLeastAfter);
    };
    const expectWithin = (ms) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(giveUp, ms);
    };
    const works = () => {
      heardAt = Date.now();
      listensAgain = listensAgainAfter;
      stopAsking();
      expectWithin(deadAfter);
    };
    expectWithin(silentFor);
    source.addEventListener("message", ({ data }) => {
      works();
      hear(data);
      if (leaving) source.close();
    });
    source.addEventListener("beat", works);
    // Enough other tabs listen for this place.
    source.addEventListener("elsewhere", () => {
      listensAgain = listensAgainAtLeastAfter;
      giveUp();
    });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) giveUp();
      else expectWithin(silentFor); // the browser tries again by itself
    });
  };

  listen();
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
