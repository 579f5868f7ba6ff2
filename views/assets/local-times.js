// Times are written in UTC by the server, which does not know where the person is; the browser does.
import { timesIn, zoneHere } from "./times.js";

const times = timesIn(document.documentElement.lang, zoneHere());
for (const time of document.querySelectorAll("time")) {
  time.title = time.textContent;
  time.textContent = times.text(new Date(time.dateTime));
}
