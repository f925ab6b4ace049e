// @ts-check
import { start } from "./start.js"

export * from "./index.js"
export { copy } from "./start.js"

start()
