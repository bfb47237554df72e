// Has the address checked as it is typed. The gateway checks it in any case when the form is sent.

const WAITS = 800;

const form = document.querySelector("#claim-form");
let asked = 0;
let pause;

const check = async () => {
  const mine = ++asked;
  const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  if (!answer.ok || answer.redirected || mine !== asked) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (mine !== asked) return;
  const told = page.querySelector("#claim-feedback");
  if (told) document.querySelector("#claim-feedback").replaceChildren(...told.childNodes);
  for (const input of form.querySelectorAll("input[type=text]")) {
    const isWrong = page.getElementById(input.id)?.getAttribute("aria-invalid");
    if (isWrong) input.setAttribute("aria-invalid", isWrong);
    else input.removeAttribute("aria-invalid");
  }
};

form?.addEventListener("input", () => {
  clearTimeout(pause);
  asked += 1;
  pause = setTimeout(() => check().catch(() => {}), WAITS);
});
