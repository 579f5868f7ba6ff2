// A page that the browser kept for Back, or in another tab, may belong to a session that has ended: nobody should read on after somebody
// else has signed out. Without this file, such a page ends at the next press.
{
  const token = document.querySelector('input[name="session"]')?.value ?? "";
  const folder = `/c/${token.split(".")[0]}`;
  const main = document.querySelector("main");

  const look = async () => {
    const ends = await fetch(`${folder}/alive`, {
      headers: { Authorization: `Bearer ${token}` },
      credentials: "omit",
    }).then(
      ({ status }) => status === 401 || status === 410,
      () => false, // without a connection nothing new is shown either
    );
    // The page there says why, and leads to the course.
    if (ends) location.replace(`${folder}/home`);
    else main.hidden = false;
  };
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    main.hidden = true;
    void look();
  });
  // Hides nothing meanwhile: somebody who just returns to a tab would see it blink and lose their place.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void look();
  });
}
