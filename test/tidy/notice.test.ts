import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface LockedPackage {
  /** True for the name of a workspace, whose folder is another entry. */
  readonly link?: boolean
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly license?: string
  readonly version?: string
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

/** What an installed Tidegate brings with it; the builds of one package for other machines go by its name. */
const installed = Object.entries(lock.packages).flatMap(
  ([path, { link, dev, devOptional, optional, license, version }]) => {
    // The folder of a workspace, and the link to it, are no part of an installation.
    const isInstalled = path.startsWith('node_modules/') && link !== true
    if (!isInstalled || dev === true || devOptional === true) return []
    const name = path.replace(/^.*node_modules\//, '')
    const isBuild =
      optional === true && /(linux|win32|darwin|android|freebsd|openbsd|wasm|openharmony)/.test(name)
    return isBuild ? [] : [{ name, license, version }]
  },
)

test('NOTICE names every package that is installed with Tidegate, with its licence', () => {
  const notice = readFileSync('NOTICE', 'utf8')
  const lines = notice.split('\n').map((line) => line.trim().split(/\s{2,}/))
  const missing = installed.filter(
    ({ name, license }) => !lines.some((line) => line[0] === name && line[1] === license),
  )
  expect(installed.length).toBeGreaterThan(10)
  expect(missing).toEqual([])
})

test('docs/supply-chain.md lists every package that is installed with Tidegate, with its version, and no other', () => {
  const page = readFileSync('docs/supply-chain.md', 'utf8')
  const table = page.slice(page.indexOf('## Each package'), page.indexOf('### Choices'))
  const rows = [...table.matchAll(/^\| (\S+) \| (\d\S*) \| \d{4}-\d\d \| .+ \| .+ \| \S.+ \|$/gm)]
  const listed = rows.map(([, name, version]) => `${name} ${version}`)
  expect(listed.sort()).toEqual(installed.map(({ name, version }) => `${name} ${version}`).sort())
})
