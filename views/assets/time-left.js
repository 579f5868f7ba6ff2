// Keeps the time until the next session up to date. Without this file, the page shows the time as of its loading.
{
  const minute = 60_000;
  const text = document.getElementById("time-left");
  const startsAt = new Date(text?.dataset.starts).getTime();
  const language = document.documentElement.lang;
  // Uses the same digits as the server.
  const format = new Intl.RelativeTimeFormat(language === "ar" ? "ar-u-nu-latn" : language);
  const show = () => {
    const ms = startsAt - Date.now();
    if (ms <= 0) {
      text.textContent = text.dataset.now;
      return;
    }
    text.textContent =
      ms < 60 * minute
        ? format.format(Math.ceil(ms / minute), "minute")
        : format.format(Math.round(ms / (60 * minute)), "hour");
    setTimeout(show, 30_000);
  };
  if (text !== null) setTimeout(show, 30_000);
}
