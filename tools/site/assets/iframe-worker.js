// Search without a server: browsers refuse to start a worker from a file, so its script runs in a hidden frame instead.
// The theme looks for the name IFrameWorker, from inside that frame.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.append(this.frame)
      const page = this.frame.contentDocument
      page.open() // otherwise some browsers replace the document, and the script with it, a moment later
      page.write("<!doctype html><title>search</title>")
      page.close()
      const inside = this.frame.contentWindow
      inside.postMessage = data => {
        const event = new MessageEvent("message", { data })
        this.dispatchEvent(event)
        if (this.onmessage) this.onmessage(event)
      }
      this.loaded = new Promise((resolve, reject) => {
        const script = page.createElement("script")
        script.onload = resolve
        script.onerror = reject
        script.src = new URL(url, location.href).href
        page.body.append(script)
      })
    }

    postMessage(data) {
      this.loaded.then(
        () => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })),
        () => this.dispatchEvent(new Event("error"))
      )
    }

    terminate() {
      this.frame.remove()
    }
  }
}
