const parts = {};
for (const element of document.querySelectorAll("[data-part]")) {
  const box = element.getBoundingClientRect();
  const seen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  (parts[element.dataset.part] ??= []).push({
    text: element.innerText ?? element.textContent,
    value: element.dataset.value ?? null,
    shown: seen && box.width > 0 && box.height > 0,
    enabled: !element.disabled && element.ariaDisabled !== "true",
  });
}
return {
  url: location.href,
  screen: document.querySelector("[data-screen]")?.dataset.screen ?? null,
  text: document.body?.innerText ?? "",
  parts,
};
