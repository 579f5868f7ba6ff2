// How long until the next session begins, kept up to date. Without this file it says how long it was when the page came.
{
  const minute = 60_000;
  const text = document.getElementById("time-left");
  const startsAt = new Date(text?.dataset.starts).getTime();
  const language = document.documentElement.lang;
  // With the digits that the server writes.
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
