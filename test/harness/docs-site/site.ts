/** All files of the site, made from the project's Markdown. */

import { existsSync, readFileSync } from 'node:fs'
import { PAGES, siteFile } from './navigation.ts'
import { framed } from './page-frame.ts'
import { type RenderedPage, renderPage } from './rendered-page.ts'

export interface Site {
  /** Contents by the paths in the site's folder. */
  readonly files: ReadonlyMap<string, string | Buffer>
  /** `PAGE: LINK` of links that lead nowhere. */
  readonly broken: readonly string[]
}

/** `root`: the URL of the project's folder. Throws an Error that names the file where one is missing. */
export function makeSite(root: URL): Site {
  const read = (path: string): Buffer => readFileSync(new URL(path, root))
  const exists = (path: string): boolean => existsSync(new URL(path, root))
  const rendered = new Map<string, RenderedPage>()
  for (const page of PAGES) rendered.set(page, renderPage(page, read(page).toString(), exists))
  const titles = new Map([...rendered].map(([page, { title }]) => [page, title]))
  const files = new Map<string, string | Buffer>()
  for (const [page, each] of rendered) {
    files.set(siteFile(page), framed(page, each, titles))
    for (const file of each.files) files.set(`files/${file}`, read(file))
  }
  files.set('search-index.js', `globalThis.searchIndex = ${JSON.stringify(searchIndex(rendered))}\n`)
  for (const name of ['site.css', 'site.js']) files.set(name, read(`test/harness/docs-site/assets/${name}`))
  files.set('icon.svg', read('console/icon.svg'))
  const broken = [...rendered].flatMap(([page, each]) => [
    ...each.broken.map((href) => `${page}: ${href}`),
    ...lostAnchors(page, each, rendered),
  ])
  return { files, broken }
}

function searchIndex(rendered: ReadonlyMap<string, RenderedPage>): readonly object[] {
  return [...rendered].flatMap(([page, { title, sections }]) =>
    sections
      .filter(({ heading, text }) => heading !== '' || text !== '')
      .map((section) => ({ file: siteFile(page), title, ...section })),
  )
}

function lostAnchors(
  page: string,
  { html }: RenderedPage,
  rendered: ReadonlyMap<string, RenderedPage>,
): readonly string[] {
  const pageOf = new Map([...rendered.keys()].map((each) => [siteFile(each), each]))
  const links = [...html.matchAll(/href="([\w-]+\.html)?#([^"]*)"/g)]
  const lost = links.filter(([, file, anchor]) => {
    const target = rendered.get(file === undefined ? page : pageOf.get(file)!)!
    return !target.sections.some((section) => section.anchor === anchor)
  })
  return lost.map(([link]) => `${page}: ${link}`)
}
