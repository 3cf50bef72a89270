/** A page of Markdown as HTML, with what the search finds in it, and the files beside it that it shows. */

import { posix } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { PAGES, siteFile } from './navigation.ts'

/** A heading and the text below it. */
export interface Section {
  readonly heading: string
  /** The id of the heading; none for the part before the first one. */
  readonly anchor: string
  readonly text: string
}

export interface RenderedPage {
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
  /** Headings of the second level, for the page's own contents. */
  readonly contents: readonly { readonly heading: string; readonly anchor: string }[]
  /** Pictures and other files that the page shows or links to, by their paths in the project. */
  readonly files: readonly string[]
  /** Links that lead nowhere within the project. */
  readonly broken: readonly string[]
}

/** `exists`: whether the project has the file. */
export function renderPage(page: string, markdown: string, exists: (path: string) => boolean): RenderedPage {
  const rendering = new Rendering(page, exists)
  const html = rendering.html(markdown)
  const { title = page, sections, contents, files, broken } = rendering
  return { title, html, sections, contents, files, broken }
}

class Rendering {
  title: string | undefined
  readonly sections: { heading: string; anchor: string; text: string }[] = []
  readonly contents: { heading: string; anchor: string }[] = []
  readonly files: string[] = []
  readonly broken: string[] = []
  readonly #page: string
  readonly #exists: (path: string) => boolean
  readonly #anchors = new Map<string, number>()
  #tables = 0

  constructor(page: string, exists: (path: string) => boolean) {
    this.#page = page
    this.#exists = exists
  }

  html(markdown: string): string {
    const heading = (token: Tokens.Heading, inner: string): string => this.#heading(token, inner)
    const target = (href: string): string => this.#target(href)
    const marked = new Marked({
      gfm: true,
      renderer: {
        heading(token) {
          return heading(token, this.parser.parseInline(token.tokens))
        },
        code({ text, lang }) {
          const label =
            lang === 'console' || lang === 'sh' || lang === undefined ? 'Commands' : `${lang} code`
          // Many stand on a page, with the same names: no landmarks.
          return `<pre tabindex="0" role="group" aria-label="${escaped(label)}"><code>${escaped(text)}</code></pre>\n`
        },
        codespan({ text }) {
          const code = `<code>${escaped(text)}</code>`
          return PAGES.includes(text) ? `<a href="${siteFile(text)}">${code}</a>` : code
        },
        link({ href, tokens }) {
          return `<a href="${escaped(target(href))}">${this.parser.parseInline(tokens)}</a>`
        },
        image({ href, text }) {
          return `<img src="${escaped(target(href))}" alt="${escaped(text)}" loading="lazy">`
        },
        html({ text }) {
          // Remarks for tests are not for readers; other markup is shown as the text that it is.
          return text.replaceAll(/<!--[\s\S]*?-->/g, '') === '' ? '' : text.trim() === '' ? '' : visible(text)
        },
      },
    })
    const tokens = marked.lexer(markdown)
    this.#collect(tokens)
    this.#anchors.clear()
    return marked
      .parser(tokens)
      .replaceAll(
        /<table>/g,
        () => `<div class="wide" tabindex="0" role="region" aria-label="Table ${++this.#tables}"><table>`,
      )
      .replaceAll('</table>', '</table></div>')
  }

  #heading({ depth, text }: Tokens.Heading, inner: string): string {
    const anchor = this.#anchorOf(text)
    if (depth === 1) return `<h1 id="${anchor}">${inner}</h1>\n`
    const to = `<a class="anchor" href="#${anchor}" aria-label="Link to: ${escaped(plain(text))}">#</a>`
    return `<h${depth} id="${anchor}">${inner} ${to}</h${depth}>\n`
  }

  /** As GitHub makes them, so that links between the files work in both places. */
  #anchorOf(text: string): string {
    const base = plain(text)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const before = this.#anchors.get(base) ?? 0
    this.#anchors.set(base, before + 1)
    return before === 0 ? base : `${base}-${before}`
  }

  #collect(tokens: readonly Token[]): void {
    let section = { heading: '', anchor: '', text: '' }
    this.sections.push(section)
    for (const token of tokens) {
      if (token.type !== 'heading') {
        if (token.type !== 'html') section.text += ` ${plain(token.raw)}`
        continue
      }
      const { depth, text } = token as Tokens.Heading
      const anchor = this.#anchorOf(text)
      if (depth === 1) this.title ??= plain(text)
      if (depth === 2) this.contents.push({ heading: plain(text), anchor })
      section = { heading: plain(text), anchor, text: '' }
      this.sections.push(section)
    }
  }

  #target(href: string): string {
    if (/^[a-z]+:/.test(href)) return href
    const [path, anchor] = href.split('#') as [string, string | undefined]
    const hash = anchor === undefined ? '' : `#${anchor}`
    if (path === '') return hash
    const file = posix.normalize(posix.join(posix.dirname(this.#page), path))
    if (PAGES.includes(file)) return `${siteFile(file)}${hash}`
    if (!this.#exists(file)) this.broken.push(href)
    else if (!this.files.includes(file)) this.files.push(file)
    return `files/${file}`
  }
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function visible(html: string): string {
  return escaped(html.replaceAll(/<!--[\s\S]*?-->/g, ''))
}

/** Markdown without its marks, for a search and for names. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|^ *(?:```\w*|[-:| ]{3,}$)/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
