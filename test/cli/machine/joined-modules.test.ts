import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { JoinedModules } from '../../../src/cli/machine/joined-modules.ts'

/** Long enough to be worth a file of code. */
const LONG = `/* ${'long '.repeat(12_000)} */`

let folder: string
let code: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-joined-'))
  code = join(folder, 'compiled')
  write('answer', '42')
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(name: string, value: string): void {
  const source = `${LONG} exports.value = () => ${value}; exports.isStrict = (function () { return this === undefined })()`
  writeFileSync(join(folder, `${name}.cjs`), source)
}

/** What a start reads, and keeps. */
function start(name = 'answer'): unknown {
  const modules = new JoinedModules(folder, code)
  const { value, isStrict } = modules.load(`${name}.cjs`) as { value: () => unknown; isStrict: boolean }
  expect(isStrict).toBe(true)
  const result = value()
  modules.keepCode()
  return result
}

const codeFile = (): string => join(code, readdirSync(code)[0]!)

/** Whether a start leaves the file of code as it is. */
function isUsed(): boolean {
  const past = new Date(1_000_000)
  utimesSync(codeFile(), past, past)
  start()
  return statSync(codeFile()).mtimeMs === past.getTime()
}

test('modules load each other once, and what lies outside', () => {
  writeFileSync(join(folder, 'a.cjs'), "exports.b = require('./b.cjs'); exports.c = require('./c.cjs')")
  writeFileSync(
    join(folder, 'b.cjs'),
    "exports.path = require('node:path'); exports.file = new URL('x.js', folderUrl).href",
  )
  writeFileSync(join(folder, 'c.cjs'), "exports.b = require('./b.cjs'); exports.os = importModule('node:os')")
  const { b, c } = new JoinedModules(folder, code).load('a.cjs') as {
    readonly b: { readonly path: { readonly join: unknown }; readonly file: string }
    readonly c: { readonly b: unknown; readonly os: unknown }
  }
  expect(c.b).toBe(b)
  expect(b.path.join).toBe(join)
  expect(b.file).toMatch(/^file:\/\/.*\/x\.js$/)
  expect(c.os).toBeInstanceOf(Promise)
})

describe("V8's code", () => {
  test('is kept of one start for the next', () => {
    expect(start()).toBe(42)
    expect(readdirSync(code)).toEqual([`answer.cjs.${process.version}-${process.arch}`])
    expect(isUsed()).toBe(true)
  })

  test('is not kept of small modules', () => {
    writeFileSync(join(folder, 'small.cjs'), 'exports.isStrict = true; exports.value = () => 1')
    expect(start('small')).toBe(1)
    expect(existsSync(code)).toBe(false)
  })

  test('of another source of the same length does not count', () => {
    start()
    write('answer', '43')
    expect(start()).toBe(43)
    expect(isUsed()).toBe(true)
  })

  test.each([
    ['without its end', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['without anything', () => Buffer.alloc(0)],
    ['of something else', () => Buffer.from('not code')],
    ['with one bit turned', (bytes: Buffer) => flipped(bytes, bytes.length - 100)],
    ['with a turned bit in its digest', (bytes: Buffer) => flipped(bytes, 0)],
  ])('%s does not count, and is written anew', (_, damage) => {
    start()
    writeFileSync(codeFile(), damage(readFileSync(codeFile())))
    expect(start()).toBe(42)
    expect(isUsed()).toBe(true)
  })

  test('that cannot be written changes nothing', () => {
    writeFileSync(code, 'a file where the folder would be')
    expect(start()).toBe(42)
    expect(start()).toBe(42)
    rmSync(code)
    mkdirSync(join(code, `answer.cjs.${process.version}-${process.arch}`), { recursive: true })
    expect(start()).toBe(42)
    expect(readdirSync(code)).toHaveLength(1)
  })
})

function flipped(bytes: Buffer, place: number): Buffer {
  bytes[place]! ^= 1
  return bytes
}
