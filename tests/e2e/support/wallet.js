// A wallet in the browser (EIP-6963 and EIP-1193, or TIP-6963 and TIP-1193): it hands each request to the test, which answers it. One more at each call.
const [info, standard] = arguments;
const wallet = (window.testWallet ??= { asked: [], answers: [] });
const request = ({ method, params = [] }) =>
  new Promise((resolve, reject) => {
    const id = wallet.answers.push({ resolve, reject }) - 1;
    wallet.asked.push({ id, wallet: info.name, method, params });
  });
const provider = { request };
if (standard === "TIP6963") {
  const tronWeb = { trx: { sign: (transaction) => request({ method: "sign", params: [transaction] }) } };
  provider.tronWeb = false;
  provider.request = (call) =>
    request(call).then((answer) => {
      if (call.method === "eth_requestAccounts") {
        wallet.tronWeb = tronWeb;
        tronWeb.defaultAddress = { base58: answer[0] };
        provider.tronWeb = tronWeb;
      }
      return answer;
    });
}
const detail = Object.freeze({ info, provider });
const announce = () => dispatchEvent(new CustomEvent(`${standard}:announceProvider`, { detail }));
addEventListener(`${standard}:requestProvider`, announce);
announce();
