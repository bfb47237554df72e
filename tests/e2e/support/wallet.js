// A wallet in the browser (EIP-6963, EIP-1193): it hands each request to the test, which answers it. One more at each call.
const [info] = arguments;
const wallet = (window.testWallet ??= { asked: [], answers: [] });
const request = ({ method, params = [] }) =>
  new Promise((resolve, reject) => {
    const id = wallet.answers.push({ resolve, reject }) - 1;
    wallet.asked.push({ id, wallet: info.name, method, params });
  });
const detail = Object.freeze({ info, provider: { request } });
const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
addEventListener("eip6963:requestProvider", announce);
announce();
