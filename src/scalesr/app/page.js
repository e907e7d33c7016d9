// Tables go to the server as they are: chosen, dropped or pasted. Events are caught at the document, since the
// elements come and go.
"use strict";
(() => {
  const say = (text) => {
    for (const place of document.querySelectorAll("[data-said]")) place.textContent = text;
  };

  async function send(where, most, body, name) {
    const size = (bytes) => (bytes / 2 ** 20).toFixed(0) + " MiB";
    if (body.size > most) {
      say(name + " has " + size(body.size) + ", and the page takes up to " + size(most) +
        ". Give a part of the rows, or a Parquet file to the command scalesr fit.");
      return;
    }
    say("Sending " + name + (body.size > 2 ** 22 ? ", " + size(body.size) : "") + " ...");
    let answer;
    try {
      const response = await fetch(where + "?name=" + encodeURIComponent(name), {
        method: "POST", body, headers: { "Content-Type": "application/octet-stream" },
      });
      const isJson = (response.headers.get("content-type") || "").startsWith("application/json");
      answer = isJson ? await response.json() : { fault: await response.text() };
    } catch (error) {
      answer = { fault: "The server does not answer; start scalesr app again." };
    }
    say(answer.fault || answer.said || "");
    if (answer.go) window.location.assign(answer.go);
  }

  const place = (element) => element.closest("[data-send]")?.dataset;
  const sent = (element, body, name) => {
    const to = place(element);
    if (to) send(to.send, Number(to.most), body, name);
  };

  document.addEventListener("change", (event) => {
    const input = event.target;
    if (input.type === "file" && input.files.length) {
      sent(input, input.files[0], input.files[0].name);
      input.value = "";
    }
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("button[data-paste]");
    if (!button) return;
    const text = document.getElementById(button.dataset.paste).value;
    if (text.trim()) sent(button, new Blob([text]), "pasted cells");
    else say("Paste cells first: a line of names and a line per row.");
  });
  // A chart that is taken off the page while its size is being looked at has nothing to say to anybody.
  window.addEventListener("unhandledrejection", (event) => {
    if (String(event.reason).includes("Resize must be passed a displayed plot div")) event.preventDefault();
  });
  // The bar of the page's framework, which is drawn while something is loaded, comes without a name for screen readers.
  const bars = new MutationObserver(() => {
    const bar = document.querySelector(".q-loading-bar");
    if (!bar) return;
    bar.setAttribute("aria-label", "Loading");
    bars.disconnect();
  });
  bars.observe(document.documentElement, { childList: true, subtree: true });
  const zone = () => document.querySelector("[data-drop]");
  document.addEventListener("dragover", (event) => {
    if (!zone()) return;
    event.preventDefault();
    zone().classList.add("over");
  });
  document.addEventListener("dragleave", () => zone()?.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    if (!zone()) return;
    event.preventDefault();
    zone().classList.remove("over");
    const file = event.dataTransfer.files[0];
    if (file) sent(zone(), file, file.name);
  });
})();
