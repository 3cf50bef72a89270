/** The HTML around a page: the way to the others, the search, its own contents. */

import { GROUPS, siteFile } from './navigation.ts'
import { escaped, type RenderedPage } from './rendered-page.ts'

export function framed(page: string, rendered: RenderedPage, titles: ReadonlyMap<string, string>): string {
  const { title, html, contents } = rendered
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title === 'Tidegate' ? title : `${title} – Tidegate`)}</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="site.css">
<script src="site.js" defer></script>
</head>
<body>
<a class="skip" href="#page">Skip to the page</a>
<header>
<a class="home" href="index.html">Tidegate</a>
<search>
<label for="query">Search</label>
<input id="query" type="search" autocomplete="off" placeholder="Press / to search" aria-describedby="found">
</search>
<button type="button" id="theme">Dark or light</button>
</header>
<div id="results" hidden>
<p id="found" role="status"></p>
<ol></ol>
</div>
<div class="columns">
<details id="pages" open>
<summary>Pages</summary>
<nav aria-label="Pages">
${GROUPS.map((group) => groupList(group, page, titles)).join('\n')}
</nav>
</details>
<main id="page" tabindex="-1">
${html}</main>
${contentsList(contents)}
</div>
</body>
</html>
`
}

function groupList(
  { title, pages }: (typeof GROUPS)[number],
  current: string,
  titles: ReadonlyMap<string, string>,
): string {
  const links = pages.map((page) => {
    const mark = page === current ? ' aria-current="page"' : ''
    return `<li><a href="${siteFile(page)}"${mark}>${escaped(titles.get(page)!)}</a></li>`
  })
  return `<p>${escaped(title)}</p>\n<ul>\n${links.join('\n')}\n</ul>`
}

function contentsList(contents: RenderedPage['contents']): string {
  if (contents.length < 3) return ''
  const links = contents.map(({ heading, anchor }) => `<li><a href="#${anchor}">${escaped(heading)}</a></li>`)
  return `<nav class="contents" aria-label="On this page">\n<p>On this page</p>\n<ul>\n${links.join('\n')}\n</ul>\n</nav>`
}
