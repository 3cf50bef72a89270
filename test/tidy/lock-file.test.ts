import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface LockedPackage {
  /** True for the name of a workspace, whose folder is another entry. */
  readonly link?: boolean
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
type Packages = Readonly<Record<string, LockedPackage>>

const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Packages
}
/** All but the folders of workspaces, and the links to them. */
const packages: Packages = Object.fromEntries(
  Object.entries(locked).filter(
    ([path, { link }]) => path === '' || (path.startsWith('node_modules/') && link !== true),
  ),
)

const PLATFORMS = [
  'linux-x64-gnu',
  'linux-x64-musl',
  'linux-arm64-gnu',
  'linux-arm64-musl',
  'darwin-x64',
  'darwin-arm64',
  'win32-x64-msvc',
  'win32-arm64-msvc',
]

/** The folder from which the package at `path` loads `name`: the nearest one, as Node resolves it. */
function folderOf(all: Packages, path: string, name: string): string | undefined {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const folder = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`
    if (all[folder] !== undefined) return folder
    if (base === '') return undefined
  }
}

/** `PACKAGE wants NAME` for each dependency, optional ones too, that the lock file lacks. */
function missingFrom(all: Packages): string[] {
  return Object.entries(all).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => folderOf(all, path, name) === undefined)
      .map((name) => `${path} wants ${name}`),
  )
}

describe('the lock file', () => {
  test('has the builds for every platform: without them `npm ci` fails, or installs unchecked code', () => {
    expect(Object.keys(packages).filter((path) => /win32-x64/.test(path)).length).toBeGreaterThan(5)
    expect(missingFrom(packages)).toEqual([])
  })

  test.each(['@antoniomuso/lz4-napi', '@napi-rs/snappy', '@node-rs/crc32'])(
    'has the native part of %s for Linux (glibc and musl), macOS and Windows, x64 and arm64',
    (name) => {
      const missing = PLATFORMS.filter(
        (platform) => packages[`node_modules/${name}-${platform}`] === undefined,
      )
      expect(missing).toEqual([])
      for (const platform of PLATFORMS)
        expect(packages[`node_modules/${name}-${platform}`]).toMatchObject({ optional: true })
    },
  )

  test('has a version and a digest for every package', () => {
    const all = Object.entries(packages).filter(([path]) => path !== '')
    const without = all.filter(
      ([, { version, integrity }]) => version === undefined || integrity?.startsWith('sha512-') !== true,
    )
    expect(without.map(([path]) => path)).toEqual([])
  })

  test('leaves the registry to the settings of npm', () => {
    const bound = Object.entries(packages).filter(([, { resolved }]) => resolved !== undefined)
    expect(bound.map(([path]) => path)).toEqual([])
  })
})

test('a dependency is looked for from the inside out', () => {
  const all = {
    '': { dependencies: { a: '1' } },
    'node_modules/a': { dependencies: { b: '1', c: '1' }, optionalDependencies: { '@o/win32': '1' } },
    'node_modules/a/node_modules/b': {},
    'node_modules/c': { dependencies: { b: '1' } },
  }
  expect(missingFrom(all)).toEqual(['node_modules/a wants @o/win32', 'node_modules/c wants b'])
})
