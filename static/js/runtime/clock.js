// @ts-check
/** One clock for every figure that plays. */

/** @type {Map<import("./instance.js").Instance, {key: string, pace: number, due: number}>} */
const playing = new Map()

/** @param {number} now */
function tick(now) {
  for (const [self, play] of playing) {
    if (now < play.due) continue
    play.due = Math.max(play.due + play.pace, now)
    const before = self.signals[play.key].peek()
    self.set({ [play.key]: before + 1 }, "play")
    if (self.signals[play.key].peek() === before) stop(self)
  }
  if (playing.size) requestAnimationFrame(tick)
}

/** @param {import("./instance.js").Instance} self */
export function start(self) {
  const key = Object.keys(self.controls).find((name) => self.controls[name].kind === "player")
  if (!key || playing.has(self)) return
  const at = self.signals[key].peek()
  self.set({ [key]: at + 1 }, "play")
  // At the end, play again from the start.
  if (self.signals[key].peek() === at) self.set({ [key]: 0 }, "play")
  const pace = self.controls[key].format
  playing.set(self, { key, pace, due: performance.now() + pace })
  self.playing.value = true
  if (playing.size === 1) requestAnimationFrame(tick)
}

/** @param {import("./instance.js").Instance} self */
export function stop(self) {
  if (!playing.delete(self)) return
  self.playing.value = false
  self.released()
}

/** A hidden page plays nothing. */
export function stopAll() {
  for (const self of [...playing.keys()]) stop(self)
}
