// Hyphens before a word would exclude pages that have it; here they begin the names of options, `--partial`.
const QUERY = 2 // kind of message
const asked = message =>
  message.type === QUERY ? { ...message, data: message.data.replace(/(^|\s)-+(?=\w)/g, "$1") } : message

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

    postMessage(message) {
      const data = asked(message)
      this.loaded.then(
        () => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })),
        () => this.dispatchEvent(new Event("error"))
      )
    }

    terminate() {
      this.frame.remove()
    }
  }
} else {
  window.Worker = class extends Worker {
    postMessage(message, ...more) {
      super.postMessage(asked(message), ...more)
    }
  }
}
