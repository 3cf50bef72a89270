import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  installCommand,
  LEVEL_VERSION,
  requireLevelLibrary,
} from '../../../src/cli/transfer/level-installation.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-level-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const absent = (): never => {
  throw Object.assign(new Error("Cannot find module 'classic-level'\nRequire stack:"), {
    code: 'MODULE_NOT_FOUND',
  })
}

const broken = (): never => {
  throw new Error('No native build was found\n    loaded from: here')
}

test('the version that an import asks for is that of the tests', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly devDependencies: Readonly<Record<string, string>>
  }
  expect(devDependencies['classic-level']).toBe(LEVEL_VERSION)
  expect(() => requireLevelLibrary()).not.toThrow()
})

test('without the library the error has the command that installs it', () => {
  expect(() => requireLevelLibrary(absent)).toThrow(
    /^the package classic-level, which reads the LevelDB files of a timeline server, is not installed: run `npm install [^\n]*classic-level@3\.0\.0`$/,
  )
})

test('a library that does not load says why in one line', () => {
  expect(() => requireLevelLibrary(broken)).toThrow(
    /does not load \(No native build was found\): run `npm install [^\n]*`$/,
  )
})

test('the command installs where this Tidegate finds the library', () => {
  const project = join(folder, 'project')
  const root = join(project, 'node_modules/tidegate')
  mkdirSync(root, { recursive: true })
  writeFileSync(join(project, 'package.json'), '{}')
  expect(installCommand(`${root}/`)).toBe(`npm install --prefix "${project}" classic-level@3.0.0`)
  const all = join(folder, 'lib/node_modules/tidegate')
  expect(installCommand(all)).toBe(`npm install --global --prefix "${folder}" classic-level@3.0.0`)
  expect(installCommand(folder)).toBe(`npm install --no-save --prefix "${folder}" classic-level@3.0.0`)
})
