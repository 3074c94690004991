// Browsers refuse web workers on pages opened from a disk. This runs the search worker in a hidden frame instead, so that a copy
// of the site works without a server.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.appendChild(frame)
      const inside = frame.contentWindow
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
      inside.importScripts = (...urls) => Promise.all(urls.map((one) => load(inside, one)))
      this.ready = load(inside, url)
      this.inside = inside
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
    }
    terminate() {
      this.inside.frameElement.remove()
    }
  }
  const load = (inside, url) =>
    new Promise((done, failed) => {
      const script = inside.document.createElement("script")
      script.src = url
      script.onload = done
      script.onerror = failed
      inside.document.head.appendChild(script)
    })
}
