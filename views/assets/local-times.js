// Times are written in UTC by the server, which does not know where the person is; the browser does.
const format = new Intl.DateTimeFormat(document.documentElement.lang, {
  day: "numeric", month: "short", hour: "numeric", minute: "2-digit",
});
for (const time of document.querySelectorAll("time")) {
  time.title = time.textContent;
  time.textContent = format.format(new Date(time.dateTime));
}
