// @ts-check
/**
 * Audit pages with Lighthouse as on a phone, and print what it found as JSON.
 *
 *     node tests/lighthouse/audit.mjs [--runs N] ADDRESS …
 *
 * CHROME_PATH names the browser. For each address: the scores of the four categories, the audits
 * that are below 1 with what they found, the bytes, requests, shifts and long tasks of its load, and
 * the score of its performance in each run.
 */
import { launch } from "chrome-launcher"
import lighthouse from "lighthouse"

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
const CATEGORIES = ["accessibility", "best-practices", "seo", "performance"]
const LONG = 50

const words = process.argv.slice(2)
const runs = words[0] === "--runs" ? Number(words.splice(0, 2)[1]) : 1
const chrome = await launch({ chromePath: process.env.CHROME_PATH, chromeFlags: FLAGS })

/** @param {any} details @returns {any[]} */
const items = (details) => details?.items ?? []

/** @param {string} address @param {string[]} onlyCategories */
async function audit(address, onlyCategories) {
  const result = await lighthouse(address, {
    port: chrome.port,
    onlyCategories,
    logLevel: "error",
    output: "json",
  })
  if (!result || result.lhr.runtimeError) {
    throw new Error(`${address}: ${result?.lhr.runtimeError?.message ?? "no result"}`)
  }
  return { lhr: result.lhr, tasks: longTasks(address, result.artifacts) }
}

/**
 * The long tasks of a load in the milliseconds that the main thread itself worked: what other
 * programs do meanwhile does not count. A task is a script's if running one took most of it.
 * @param {string} address @param {any} artifacts
 * @returns {{ms: number, script: boolean}[]}
 */
function longTasks(address, artifacts) {
  /** @type {any[]} */
  const events = (artifacts.Trace ?? artifacts.traces.defaultPass).traceEvents
  const began = events.findLast(
    ({ name, args }) =>
      name === "navigationStart" && args?.data?.documentLoaderURL.split("#")[0] === address,
  )
  const own = events.filter(
    ({ pid, tid, ts, ph }) =>
      pid === began.pid && tid === began.tid && ts >= began.ts && ph === "X",
  )
  return own
    .filter(({ name, tdur }) => name.endsWith("RunTask") && tdur > LONG * 1000)
    .map((task) => {
      const ran = own.filter(
        ({ name, ts, dur }) =>
          ["EvaluateScript", "FunctionCall", "v8.evaluateModule", "FireAnimationFrame"].includes(
            name,
          ) &&
          ts >= task.ts &&
          ts + dur <= task.ts + task.dur,
      )
      const longest = Math.max(0, ...ran.map(({ tdur }) => tdur))
      return { ms: task.tdur / 1000, script: longest > task.tdur / 2 }
    })
}

try {
  const found = []
  for (const address of words) {
    const { lhr, tasks } = await audit(address, CATEGORIES)
    const judged = CATEGORIES.filter((id) => id !== "performance")
      .flatMap((id) => lhr.categories[id].auditRefs)
      .filter(({ weight }) => weight > 0)
      .map(({ id }) => lhr.audits[id])
    const performance = [lhr.categories.performance.score]
    while (performance.length < runs) {
      const again = await audit(address, ["performance"])
      performance.push(again.lhr.categories.performance.score)
    }
    found.push({
      address,
      version: lhr.lighthouseVersion,
      scores: Object.fromEntries(CATEGORIES.map((id) => [id, lhr.categories[id].score])),
      failed: judged
        .filter(({ score }) => score !== null && score < 1)
        .map(({ id, title, explanation, details }) => ({
          id,
          title,
          explanation,
          items: items(details).slice(0, 5),
        })),
      bytes: lhr.audits["total-byte-weight"].numericValue,
      requests: items(lhr.audits["network-requests"].details).map(({ url }) => url),
      shift: lhr.audits["cumulative-layout-shift"].numericValue,
      tasks,
      performance,
    })
  }
  process.stdout.write(`${JSON.stringify(found)}\n`)
} finally {
  chrome.kill()
}
