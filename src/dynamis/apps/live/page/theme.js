/* Light, dark, or as the system has it: a button that goes through them. */
export function themes(button, changed, first = "auto") {
  const names = ["auto", "light", "dark"];
  let now = Math.max(0, names.indexOf(first));
  const show = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    button.textContent = `Theme: ${name}`;
  };
  show(names[now]);
  button.addEventListener("click", () => {
    show(names[(now = (now + 1) % names.length)]);
    changed(names[now]);
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => changed(names[now]));
}
