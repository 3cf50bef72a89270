import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { makeTemporaryFolder } from '../harness/tidegate-process.ts'

const ROOT = fileURLToPath(packageRoot())
const MAIN = 'src/cli/main.ts'

// Plain JavaScript, which runs before the compiler does.
const BUILD = new URL('tools/build.js', packageRoot()).href
const { buildIfStale, missingCompiler } = (await import(BUILD)) as {
  readonly buildIfStale: (root: string, wanted?: 'server' | 'all') => string
  readonly missingCompiler: (root: string) => string | undefined
}

let root: string

beforeEach(() => {
  root = makeTemporaryFolder()
  write('package.json', '{"type":"module"}')
  write('tsconfig.json', readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  write(
    'tsconfig.build.json',
    '{"extends":"./tsconfig.json","compilerOptions":{"types":[]},"include":["src"]}',
  )
  write(MAIN, 'export const one: number = 1\n')
  write('src/other/gone.ts', 'export const two: number = 2\n')
  for (const folder of ['adapters', 'conformance/src', 'test/harness', 'test/fuzz', 'dist/adapters']) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Changed a minute from now, as a file that a later git pull brings. */
function touch(path: string): void {
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(root, path), later, later)
}

const built = (path: string): boolean => existsSync(join(root, 'dist', path))

test('a checkout is built once, and again after a source has changed', () => {
  expect(buildIfStale(root)).toBe('built')
  expect(built('src/cli/main.js')).toBe(true)
  expect(buildIfStale(root)).toBe('fresh')
  write(MAIN, 'export const one: number = 3\n')
  touch(MAIN)
  expect(buildIfStale(root)).toBe('built')
  expect(readFileSync(join(root, 'dist/src/cli/main.js'), 'utf8')).toContain('3')
  // `npx tidegate` runs it, also once npm has linked it and it is built anew.
  if (process.platform !== 'win32')
    expect(statSync(join(root, 'dist/src/cli/main.js')).mode & 0o111).toBe(0o111)
})

test('what was built of a source that is gone goes too', () => {
  buildIfStale(root)
  expect(built('src/other/gone.d.ts')).toBe(true)
  rmSync(join(root, 'src/other'), { recursive: true })
  touch('src')
  expect(buildIfStale(root)).toBe('built')
  expect(built('src/other')).toBe(false)
  expect(built('src/cli/main.d.ts')).toBe(true)
})

test('everything has the server in it, and is built anew where the server alone was built since', () => {
  write('test/one.test.ts', 'export const one: number = 1\n')
  for (const folder of ['load', 'tools', 'examples']) mkdirSync(join(root, folder), { recursive: true })
  write('vitest.config.ts', 'export const two: number = 2\n')
  expect(buildIfStale(root, 'all')).toBe('built')
  expect(built('test/one.test.js')).toBe(true)
  expect(buildIfStale(root)).toBe('fresh')
  expect(buildIfStale(root, 'all')).toBe('fresh')
  write(MAIN, 'export const one: number = 3\n')
  touch(MAIN)
  expect(buildIfStale(root)).toBe('built')
  write(MAIN, 'export const one: number = 1\n')
  touch(MAIN)
  expect(buildIfStale(root, 'all')).toBe('built')
  expect(readFileSync(join(root, 'dist/src/cli/main.js'), 'utf8')).toContain('1')
  rmSync(join(root, 'test/one.test.ts'))
  touch('test')
  expect(buildIfStale(root, 'all')).toBe('built')
  expect(built('test/one.test.js')).toBe(false)
})

test('a file that was removed from dist/ is there after the next build', () => {
  for (const folder of ['load', 'tools', 'examples']) mkdirSync(join(root, folder), { recursive: true })
  write('vitest.config.ts', 'export const two: number = 2\n')
  write('test/one.test.ts', 'export const one: number = 1\n')
  expect(buildIfStale(root, 'all')).toBe('built')
  rmSync(join(root, 'dist/test/one.test.js'))
  touch(MAIN)
  expect(buildIfStale(root, 'all')).toBe('built')
  expect(built('test/one.test.js')).toBe(true)
})

test('sources that do not compile fail the build', () => {
  write(MAIN, 'export const one: number = "one"\n')
  expect(buildIfStale(root)).toBe('failed')
  expect(built('src/cli/main.js')).toBe(false)
})

test('without a compiler dist/ is missing, then old', () => {
  rmSync(join(root, 'node_modules'))
  expect(buildIfStale(root)).toBe('missing')
  write('dist/src/cli/main.js', '')
  expect(buildIfStale(root)).toBe('stale')
  expect(missingCompiler(root)).toMatch(/^the TypeScript compiler, [^\n]* run `npm install --include=dev`$/)
})

test('a compiler without its program for this platform is no compiler, and the remedy names the optional package', () => {
  rmSync(join(root, 'node_modules'))
  write(
    'node_modules/typescript/package.json',
    readFileSync(join(ROOT, 'node_modules/typescript/package.json'), 'utf8'),
  )
  expect(buildIfStale(root)).toBe('missing')
  const program = `@typescript/typescript-${process.platform}-${process.arch}`
  expect(missingCompiler(root)).toMatch(
    new RegExp(`^the TypeScript compiler lacks ${program}, .*--include=dev --include=optional\`$`),
  )
  write(`node_modules/${program}/package.json`, '{}')
  expect(missingCompiler(root)).toBeUndefined()
})
