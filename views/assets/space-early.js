// Runs before the Space's frame exists, so that none of its messages is lost before space.js listens. Until the frame has loaded, our own
// text takes its place.
window.spaceSaid = [];
addEventListener("message", (event) => window.spaceSaid.push(event));
document.documentElement.classList.add("loading");
document.addEventListener(
  "load",
  ({ target }) => {
    if (target instanceof HTMLIFrameElement) document.documentElement.classList.remove("loading");
  },
  true,
);
