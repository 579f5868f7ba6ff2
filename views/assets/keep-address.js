// Where the browser keeps no cookie, forms ask for pages. A page that came so is given its own address in the tab's history, and
// the session beside it: Back, Forward and F5 then ask by the address (fill-page.js), and no form is sent again.
{
  const { address } = document.currentScript.dataset;
  const session = document.querySelector('input[name="session"]')?.value;
  // As a launch leads where cookies are kept: enter.js wants to know.
  const launched = /^\/(c|course)\//.test(location.pathname) ? "" : "?launched=1";
  history.replaceState({ ...history.state, session }, "", address + launched + location.hash);
}
