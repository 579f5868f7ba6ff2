// Without cookies, forms ask for pages. This script gives such a page its address in the tab's history, with the session. So Back, Forward
// and F5 ask by the address (fill-page.js), and no form is sent again.
{
  const { address } = document.currentScript.dataset;
  const session = document.querySelector('input[name="session"]')?.value;
  // Tells enter.js that this page followed a launch, as an address does where cookies work.
  const launched = /^\/(c|course)\//.test(location.pathname) ? "" : "?launched=1";
  history.replaceState({ ...history.state, session }, "", address + launched + location.hash);
}
