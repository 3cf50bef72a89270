/** The documentation as a site: its pages, its links and what its search finds. */

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { KNOWN_CLIENTS, keptResult } from '../harness/client-transcripts/client-results.ts'
import { clientsPage } from '../harness/docs-site/clients-page.ts'
import { PAGES, siteFile } from '../harness/docs-site/navigation.ts'
import { renderPage } from '../harness/docs-site/rendered-page.ts'
import { makeSite } from '../harness/docs-site/site.ts'

const { files, broken } = makeSite(packageRoot())

test('every document is a page, under a name of its own', () => {
  const documents = readdirSync('docs').filter((name) => name.endsWith('.md'))
  expect(documents.filter((name) => !PAGES.includes(`docs/${name}`))).toEqual([])
  expect(new Set(PAGES.map(siteFile)).size).toBe(PAGES.length)
})

test('no link leads nowhere, and nothing is loaded from elsewhere', () => {
  expect(broken).toEqual([])
  for (const [name, content] of files)
    if (name.endsWith('.html'))
      expect(String(content), name).not.toMatch(/(?:src=|<link [^>]*href=)"(?:https?:)?\/\//)
})

test('every column of a table has a heading, which a reader of the screen hears', () => {
  for (const [name, content] of files)
    if (name.endsWith('.html')) expect(String(content), name).not.toMatch(/<th[^>]*>\s*<\/th>/)
})

test('a link that leads nowhere is found', () => {
  const page = renderPage(
    'docs/a.md',
    '# A\n\n[b](b.md) [c](../README.md) ![d](console/overview.png)',
    (path) => path.endsWith('.png'),
  )
  expect(page.broken).toEqual(['b.md'])
  expect(page.files).toEqual(['docs/console/overview.png'])
  expect(page.html).toContain('<a href="index.html">c</a>')
})

test('names of pages are links, remarks are left out, other markup is text', () => {
  const { html } = renderPage(
    'docs/a.md',
    '# A\n\n<!-- not run: x -->\n\n`docs/rest.md` <b>bold</b>\n',
    () => true,
  )
  expect(html).toContain('<a href="rest.html"><code>docs/rest.md</code></a>')
  expect(html).not.toContain('not run')
  expect(html).toContain('&lt;b&gt;')
})

test('headings of one name have anchors of their own, in the page and in the search', () => {
  const { html, sections } = renderPage('docs/a.md', '# A\n\n## Same\n\none\n\n## Same\n\ntwo\n', () => true)
  expect(sections.map(({ anchor, text }) => [anchor, text.trim()])).toEqual([
    ['', ''],
    ['a', ''],
    ['same', 'one'],
    ['same-1', 'two'],
  ])
  expect(html).toContain('<h2 id="same-1">')
})

test('the search has the text of every page', () => {
  const index = String(files.get('search-index.js'))
  const found = new Set([...index.matchAll(/"file":"([^"]+)"/g)].map(([, file]) => file))
  expect(PAGES.map(siteFile).filter((file) => !found.has(file))).toEqual([])
  expect(index).toContain('hbase.client.operation.timeout')
})

test('docs/clients.md is made of the kept results: npm run docs:clients', () => {
  expect(readFileSync('docs/clients.md', 'utf8')).toBe(clientsPage(KNOWN_CLIENTS, keptResult))
})

test('a client whose run failed is shown so, and one without a run, too', () => {
  const known = { client: 'c', versions: '1', door: 'd', features: 'f', command: 'npm run x' }
  const clients = [
    { name: 'a', ...known },
    { name: 'b', ...known },
  ]
  const counts = { passed: 3, failed: 1, mayDiffer: 2 }
  const result = { date: '2026-01-02', version: '0.1.0', commit: 'abc', node: '20.1.0', ...counts }
  const page = clientsPage(clients, (name) => (name === 'a' ? result : undefined))
  expect(page).toContain(
    '2026-01-02: 3 of 4 steps (2 may differ), **1 failed**; Tidegate 0.1.0, abc, Node 20.1.0',
  )
  expect(page).toContain('| not kept |')
})
