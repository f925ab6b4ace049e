// @ts-check
/**
 * A Node process of a build. A line of JSON in, a line of JSON out, in the same order.
 * Its first line says which Node it is. It ends when its input does.
 */
import { createRequire } from "node:module"
import path from "node:path"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"

// stdout is the wire: what a figure prints must not end up on it.
console.log = console.info = console.debug = console.error

const home = process.argv[2]
const require = createRequire(path.join(home, "package.json"))
/** @type {Map<string, Promise<any>>} */
const loaded = new Map()

/** Import once, and only when a request needs it. @param {string} address @returns {Promise<any>} */
function load(address) {
  let found = loaded.get(address)
  if (!found) {
    found = import(address)
    loaded.set(address, found)
  }
  return found
}

/** @param {string} name of a package in the home's node_modules */
const library = (name) => load(pathToFileURL(require.resolve(name)).href)

/** @typedef {Record<string, any>} Request */

/** @type {Record<string, (request: Request) => Promise<Record<string, any>>>} */
const OPERATIONS = { formula, bundle, imports, minify, draw }

/** TeX to HTML and MathML. @param {Request} request */
async function formula({ tex, display, macros }) {
  const { default: katex } = await library("katex")
  const trusted = (/** @type {{command: string}} */ context) => {
    if (context.command === "\\htmlData") return true
    // KaTeX would print a refused command in red and go on.
    throw Object.assign(new katex.ParseError(`${context.command} is not allowed here`), {
      refused: context.command,
    })
  }
  const html = katex.renderToString(tex, {
    displayMode: display,
    throwOnError: true,
    trust: trusted,
    strict: (/** @type {string} */ code) => (code === "htmlExtension" ? "ignore" : "error"),
    // A term's name ties it to words, to variables of listings, and to parts of figures.
    macros: { ...macros, "\\term": "\\htmlData{term=#1}{#2}" },
  })
  return { html }
}

/** The runtime, once for the browser and once for Node. @param {Request} request */
async function bundle({ browser, node }) {
  const esbuild = await library("esbuild")
  const build = async (/** @type {string} */ entry, /** @type {object} */ more) => {
    const result = await esbuild.build({
      absWorkingDir: home,
      bundle: true,
      charset: "utf8",
      entryPoints: [entry],
      format: "esm",
      legalComments: "none",
      logLevel: "silent",
      nodePaths: [path.join(home, "node_modules")],
      target: "es2022",
      write: false,
      ...more,
    })
    return result.outputFiles[0].text
  }
  return {
    browser: await build(browser, { platform: "browser", minify: true }),
    node: await build(node, { platform: "node", sourcemap: "inline" }),
  }
}

/** What a module imports, and where it says so. @param {Request} request */
async function imports({ text }) {
  // The lexer is lenient; a mistake is better told by a parser.
  await (await library("esbuild")).transform(text, { format: "esm", logLevel: "silent" })
  const lexer = await library("es-module-lexer")
  await lexer.init
  const [found] = lexer.parse(text)
  return {
    imports: found
      .filter((/** @type {any} */ one) => one.type !== "import-meta")
      .map((/** @type {any} */ one) => ({
        name: one.glob ? null : (one.specifier ?? null),
        from: one.start,
        to: one.end,
        dynamic: one.type === "dynamic",
      })),
  }
}

/** @param {Request} request */
async function minify({ text, loader = "js" }) {
  const esbuild = await library("esbuild")
  const { code } = await esbuild.transform(text, {
    charset: "utf8",
    legalComments: "none",
    loader,
    logLevel: "silent",
    minify: true,
    target: "es2022",
  })
  return { text: code }
}

/** A figure's first frame. @param {Request} request */
async function draw({ runtime, module, order }) {
  const { first } = await load(pathToFileURL(runtime).href)
  const { default: definition } = await load(pathToFileURL(module).href)
  return first(definition, order)
}

/** @param {any} error */
const told = (error) => ({
  error: {
    name: String(error?.name ?? "Error"),
    message: String(error?.message ?? error),
    stack: String(error?.stack ?? ""),
    position: error?.position ?? error?.idx ?? null,
    length: error?.length ?? null,
    refused: error?.refused ?? null,
    part: error?.part ?? null,
    hint: error?.hint ?? null,
    places:
      error?.errors?.map((/** @type {any} */ one) => ({ text: one.text, ...one.location })) ?? [],
  },
})

/** @param {string} line */
async function answer(line) {
  try {
    const { op, ...request } = JSON.parse(line)
    return await OPERATIONS[op](request)
  } catch (error) {
    return told(error)
  }
}

// Answers have the wire for themselves: what a figure prints goes where errors go.
const wire = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)

/** @param {object} message */
const say = (message) => wire(`${JSON.stringify(message)}\n`)

say({ node: process.version })
for await (const line of createInterface({ input: process.stdin })) say(await answer(line))
process.exit(0)
