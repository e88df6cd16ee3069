// Everything here also works without it: it only saves a click, or a reload.
"use strict";

// Times are in the browser's time zone, spelled as the server does: the dates of Swedish are ISO 8601.
const local = (text) => new Date(text).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
for (const time of document.querySelectorAll("time[datetime$=Z]")) {
  time.title = time.textContent;
  time.textContent = local(time.dateTime);
}

// A file that is dropped on the form is uploaded at once, as one that was chosen.
for (const form of document.querySelectorAll("form[data-drop]")) {
  const input = form.querySelector("input[type=file]");
  const over = (event, isOver) => { event.preventDefault(); form.classList.toggle("over", isOver); };
  form.addEventListener("dragover", (event) => over(event, true));
  form.addEventListener("dragleave", (event) => over(event, false));
  form.addEventListener("drop", (event) => {
    over(event, false);
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
  form.addEventListener("submit", () => {
    const button = form.querySelector("button");
    button.textContent = "Uploading…";
    button.setAttribute("aria-busy", "true");
  });
}

// The progress of a job, as the server tells it. If the stream cannot be read, the state is asked for.
for (const place of document.querySelectorAll("[data-stream]")) {
  const bar = place.querySelector("progress");
  const sentence = place.querySelector("[role=status]");
  const show = (event) => {
    const payload = JSON.parse(event.data).payload;
    if (payload.progress !== undefined) bar.value = payload.progress;
    if (!payload.status) return;
    sentence.textContent = payload.resumeAt ? `${payload.status} until ${local(payload.resumeAt)}` : payload.status;
  };
  const reload = () => location.reload();
  const retry = () => fetch(location.href).then(reload, () => setTimeout(retry, 2000));
  let isLost = false;
  const stream = new EventSource(place.dataset.stream);
  stream.addEventListener("progress", show);
  for (const end of ["completed", "failed", "canceled"]) stream.addEventListener(end, () => { stream.close(); reload(); });
  stream.addEventListener("error", () => {
    isLost = true;
    sentence.textContent = "The server does not answer. Trying again …";
    // The browser opens a stream again that broke off, but not one that was refused.
    if (stream.readyState === EventSource.CLOSED) setTimeout(retry, 2000);
  });
  stream.addEventListener("open", () => { if (isLost) reload(); });
}

// Where the browser can read barcodes, the camera fills in the ISBN.
for (const place of document.querySelectorAll("[data-scan]")) {
  if (!window.BarcodeDetector || !navigator.mediaDevices) continue;
  place.hidden = false;
  const [button, sentence] = [place.querySelector("button"), place.querySelector("[role=status]")];
  const label = button.textContent;
  let isScanning = false;
  button.addEventListener("click", async () => {
    if (isScanning) { isScanning = false; return; }
    isScanning = true;
    button.textContent = "Stop";
    const video = document.createElement("video");
    let stream;
    try {
      const detector = new BarcodeDetector({ formats: ["ean_13"] });
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      video.srcObject = stream;
      video.playsInline = true;
      place.append(video);
      await video.play();
      sentence.textContent = "Hold the barcode in front of the camera.";
      let code;
      while (isScanning && !code) {
        await new Promise((wake) => setTimeout(wake, 200));
        const found = await detector.detect(video);
        code = found.map((barcode) => barcode.rawValue).find((text) => /^97[89][0-9]{10}$/.test(text));
      }
      if (code) document.getElementById(place.dataset.scan).value = code;
      sentence.textContent = code ? `Found ${code}.` : "";
    } catch {
      sentence.textContent = "The barcode cannot be read here. Type the ISBN.";
    } finally {
      stream?.getTracks().forEach((track) => track.stop());
      video.remove();
      isScanning = false;
      button.textContent = label;
    }
  });
}

// Keys of the library: / searches, the arrows turn pages.
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const place = { "/": "[role=search] input[type=search]", ArrowLeft: "a[rel=prev]", ArrowRight: "a[rel=next]" }[event.key];
  const target = place && document.querySelector(place);
  if (!target) return;
  event.preventDefault();
  if (event.key === "/") target.focus(); else target.click();
});

// Keys of the matches: a takes the best book, r none, s leaves it for later. The next match follows.
const matches = [...document.querySelectorAll("fieldset.match")];
let current = -1;
const mark = (index) => {
  matches[current]?.removeAttribute("data-current");
  current = index;
  matches[current].setAttribute("data-current", "");
};
const show = (index) => {
  mark(index);
  matches[index].scrollIntoView({ block: "center" });
};
document.addEventListener("keydown", (event) => {
  if (!matches.length || event.ctrlKey || event.metaKey || event.altKey) return;
  const choice = { a: "input[data-best]", r: "input[value=none]", s: "input[value=later]" }[event.key];
  if (!choice) return;
  event.preventDefault();
  if (current < 0) current = 0;
  const input = matches[current].querySelector(choice);
  if (!input) return show(current);
  input.checked = true;
  if (current + 1 < matches.length) show(current + 1);
  else document.querySelector(".sticky button")?.focus();
});
// A match that is chosen with the mouse is the current one.
for (const [index, match] of matches.entries()) match.addEventListener("change", () => mark(index));
