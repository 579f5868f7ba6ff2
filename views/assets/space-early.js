// Runs before the Space's frame exists: nothing it says may be lost before space.js listens, and until it has
// loaded our own words stand in its place.
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
