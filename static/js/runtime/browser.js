// @ts-check
import { start } from "./start.js"

export * from "./index.js"

start()
