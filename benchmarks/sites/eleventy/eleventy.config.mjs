// Markdown alone, with no template language in it; maths and code at build; a feed, pages of tags.
import { feedPlugin } from "@11ty/eleventy-plugin-rss"
import highlight from "@11ty/eleventy-plugin-syntaxhighlight"
import katex from "@vscode/markdown-it-katex"
import anchor from "markdown-it-anchor"
import footnotes from "markdown-it-footnote"

export default function (config) {
  config.addPlugin(highlight)
  config.addPlugin(feedPlugin, {
    collection: { name: "article", limit: 20 },
    metadata: { title: "Benchmark", base: "https://benchmark.example/", author: { name: "Ada" } },
  })
  config.addPassthroughCopy("content/**/*.svg")
  config.amendLibrary("md", (markdown) => {
    markdown.use(footnotes).use(anchor, { tabIndex: false }).use(katex.default, { throwOnError: true })
  })
  config.addCollection("tagged", (all) =>
    [...new Set(all.getAll().flatMap((item) => item.data.tags ?? []))].filter((t) => t !== "article"),
  )
  return { dir: { input: "content", includes: "../_includes" }, markdownTemplateEngine: false }
}
