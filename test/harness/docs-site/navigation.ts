/** Which pages the site has, and in which order. A page is a file in Markdown; the README is the first one. */

export interface Group {
  readonly title: string
  readonly pages: readonly string[]
}

export const HOME = 'README.md'

export const GROUPS: readonly Group[] = [
  {
    title: 'Start',
    pages: [HOME, 'docs/README.md', 'docs/install.md', 'docs/console.md', 'docs/examples.md'],
  },
  {
    title: 'Use it from a client',
    pages: [
      'docs/clients.md',
      'docs/login-clients.md',
      'docs/rest.md',
      'docs/shell.md',
      'docs/timeline.md',
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
    title: 'Run it in production',
    pages: [
      'docs/one-machine.md',
      'docs/backup.md',
      'docs/change-feed.md',
      'docs/container.md',
      'docs/in-front-of-a-cluster.md',
      'docs/moving-from-gateways.md',
      'docs/security.md',
      'docs/kerberos-doors.md',
      'docs/kerberos-cluster.md',
      'docs/delegation-tokens.md',
      'docs/observability.md',
      'docs/tuning.md',
      'docs/replication.md',
      'docs/standby.md',
      'docs/moving-data.md',
      'docs/tools.md',
      'docs/recording.md',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'docs/command-line.md',
      'docs/security-reference.md',
      'docs/metrics.md',
      'docs/figures.md',
      'docs/limits.md',
      'docs/cluster.md',
      'docs/guarantees.md',
      'docs/differences-from-hbase.md',
      'docs/compatibility.md',
      'conformance/README.md',
      'docs/supply-chain.md',
      'CHANGELOG.md',
    ],
  },
  {
    title: 'How it works',
    pages: ['ARCHITECTURE.md', 'docs/engine.md', 'docs/formats.md', 'CONTRIBUTING.md'],
  },
]

export const PAGES: readonly string[] = GROUPS.flatMap(({ pages }) => pages)

/** The file of a page in the site: all lie in one folder, so that the site works from any place. */
export function siteFile(page: string): string {
  if (page === HOME) return 'index.html'
  const name = page.replace(/^docs\//, '').replace(/\/README\.md$/, '.md')
  return `${name.replace(/\.md$/, '').replaceAll('/', '-').toLowerCase()}.html`
}
