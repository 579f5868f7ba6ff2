// A page that the browser had kept for Back, or in another tab, may be of a session that has ended since: nobody reads on
// what somebody else has signed out of. Without this file such a page ends with the next thing that is pressed.
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
    // It says why, and leads to the course.
    if (ends) location.replace(`${folder}/home`);
    else main.hidden = false;
  };
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    main.hidden = true;
    void look();
  });
  // Nothing is hidden here: who only comes back to a tab would see it blink, and lose the place they were at.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void look();
  });
}
