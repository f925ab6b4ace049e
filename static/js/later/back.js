// @ts-check
/** The way back from a figure to the word of the text that led to it. */

/** @type {(() => void) | undefined} */
let leave

/** @param {HTMLElement} link the word; the button stands after it for the Tab key */
export function back(link) {
  leave?.()
  const button = document.createElement("button")
  button.type = "button"
  button.className = "back"
  button.textContent = "Back to the text"
  // It is there while the word is out of sight, and no longer.
  const sight = new IntersectionObserver((entries) => {
    if (!entries.at(-1)?.isIntersecting) link.after(button)
    else if (button.isConnected) leave?.()
  })
  leave = () => {
    sight.disconnect()
    button.remove()
    leave = undefined
  }
  button.addEventListener("click", () => {
    link.scrollIntoView({ block: "center" })
    link.focus({ preventScroll: true })
    leave?.()
  })
  sight.observe(link)
}
