// @ts-check
/** One clock for every figure that plays. */

/**
 * @typedef {import("./instance.js").Instance} Instance
 * @typedef {{key: string, pace: number, due: number, until: number}} Play
 */

/** @type {Map<Instance, Play>} */
const playing = new Map()

/** The state that a figure plays through, if it plays. @param {Instance} self */
export const played = (self) =>
  Object.keys(self.controls).find((name) => self.controls[name].kind === "player")

/** @param {number} now */
function tick(now) {
  for (const [self, play] of playing) {
    if (now < play.due) continue
    play.due = Math.max(play.due + play.pace, now)
    const before = self.signals[play.key].peek()
    self.set({ [play.key]: before + 1 }, "play")
    const after = self.signals[play.key].peek()
    if (after === before || after === play.until) stop(self)
  }
  if (playing.size) requestAnimationFrame(tick)
}

/** @param {Instance} self @param {Omit<Play, "due">} play */
function begin(self, play) {
  playing.set(self, { ...play, due: performance.now() + play.pace })
  self.playing.value = true
  if (playing.size === 1) requestAnimationFrame(tick)
}

/** @param {Instance} self */
export function start(self) {
  const key = played(self)
  if (!key || playing.has(self)) return
  const at = self.signals[key].peek()
  self.set({ [key]: at + 1 }, "play")
  // At the end, play again from the start.
  if (self.signals[key].peek() === at) self.set({ [key]: 0 }, "play")
  begin(self, { key, pace: self.controls[key].format, until: Infinity })
}

/** Steps shown on the way to one that a word of the text names, and how long each stands. */
const RUN_UP = 5
const PACE = 160

/** Play up to the state shown, from where the figure was or a few steps before. @param {Instance} self @param {number} from */
export function arrive(self, from) {
  const key = played(self)
  if (!key) return
  const until = self.signals[key].peek()
  const near = from < until && until - from <= 2 * RUN_UP
  const at = near ? from : Math.max(0, until - RUN_UP)
  if (at >= until) return
  self.set({ [key]: at }, "play")
  begin(self, { key, pace: PACE, until })
}

/** @param {Instance} self */
export function stop(self) {
  if (!playing.delete(self)) return
  self.playing.value = false
  self.released()
}

/** A hidden page plays nothing. */
export function stopAll() {
  for (const self of [...playing.keys()]) stop(self)
}
