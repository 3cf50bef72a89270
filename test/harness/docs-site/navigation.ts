/** Which pages the site has, and in which order. A page is a file in Markdown; the README is the first one. */

export interface Group {
  readonly title: string
  readonly pages: readonly string[]
}

export const HOME = 'README.md'

export const GROUPS: readonly Group[] = [
  {
    title: 'Begin',
    pages: [HOME, 'docs/console.md', 'docs/clients.md', 'docs/examples.md'],
  },
  {
    title: 'Test with it',
    pages: [
      'docs/testing-in-ci.md',
      'docs/testing.md',
      'docs/library.md',
      'kits/README.md',
      'kits/node/README.md',
      'kits/java/README.md',
      'kits/python/README.md',
    ],
  },
  {
    title: 'Run it',
    pages: [
      'docs/moving-from-gateways.md',
      'docs/in-front-of-a-cluster.md',
      'docs/one-machine.md',
      'docs/container.md',
      'docs/command-line.md',
      'docs/security.md',
      'docs/login-clients.md',
      'docs/metrics.md',
      'docs/observability.md',
      'docs/recording.md',
      'docs/moving-data.md',
      'docs/tools.md',
      'docs/tuning.md',
    ],
  },
  {
    title: 'Look it up',
    pages: [
      'docs/rest.md',
      'docs/shell.md',
      'docs/timeline.md',
      'docs/cluster.md',
      'docs/guarantees.md',
      'docs/limits.md',
      'docs/differences-from-hbase.md',
      'docs/compatibility.md',
      'docs/supply-chain.md',
    ],
  },
  {
    title: 'Work on it',
    pages: ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/engine.md', 'docs/formats.md', 'CHANGELOG.md'],
  },
]

export const PAGES: readonly string[] = GROUPS.flatMap(({ pages }) => pages)

/** The file of a page in the site: all lie in one folder, so that the site works from any place. */
export function siteFile(page: string): string {
  if (page === HOME) return 'index.html'
  const name = page.replace(/^docs\//, '').replace(/\/README\.md$/, '.md')
  return `${name.replace(/\.md$/, '').replaceAll('/', '-').toLowerCase()}.html`
}
