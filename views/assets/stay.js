// Keeps the session alive while somebody sits before a page without pressing anything, such as a lesson in a frame or a classroom that is
// about to open. Without this file, the session ends after two idle hours, and the course link leads back.
const token = document.querySelector('input[name="session"]')?.value ?? "";
const sayAlive = () => fetch("/alive", { method: "POST", body: new URLSearchParams({ session: token }) }).catch(() => {});
if (token !== "") setInterval(sayAlive, 25 * 60_000);
