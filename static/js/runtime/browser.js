// @ts-check
import { start } from "./start.js"

export * from "./index.js"
export { copy, keep, renew, state } from "./start.js"

start()
