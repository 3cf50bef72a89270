import { describe, expect, test } from 'vitest'
import { doorFailure } from '../../../src/cli/doors/door-failure.ts'
import { storeFailure } from '../../../src/cli/stores/store-failure.ts'
import { HBaseError } from '../../../src/model/errors.ts'

const nameOf = (setting: string): string => `--${setting} VALUE`
const coded = (code: string): Error => Object.assign(new Error(`listen ${code}`), { code })
const binding = { door: 'thrift', host: '::1', port: 80 } as const

function message(failure: unknown): string {
  expect(failure).toMatchObject({ name: 'StartError' })
  return (failure as Error).message
}

describe('a door that cannot listen', () => {
  test.each([
    ['EADDRINUSE', /^--thrift VALUE: \[::1\]:80 is in use: another program .*--thrift PORT/],
    ['EACCES', /^--thrift VALUE: this user may not listen on \[::1\]:80; .*1024/],
    ['EADDRNOTAVAIL', /^--host VALUE: this machine has no such address/],
    ['ENOTFOUND', /^--host VALUE: this name has no address/],
    ['EINVAL', /^--thrift VALUE: cannot listen on \[::1\]:80: listen EINVAL$/],
  ])('because of %s names setting, reason and remedy in a line', (code, told) => {
    const text = message(doorFailure(coded(code), binding, nameOf))
    expect(text).toMatch(told)
    expect(text).not.toContain('\n')
  })

  test('names the door of the same server that has its port', () => {
    const failure = doorFailure(coded('EADDRINUSE'), { ...binding, rival: 'rest' }, nameOf)
    expect(message(failure)).toContain('the door rest has this port')
  })

  test('because of a bug keeps its stack', () => {
    const bug = new TypeError('x is not a function')
    expect(doorFailure(bug, binding, nameOf)).toBe(bug)
  })
})

describe('a store that cannot be opened', () => {
  test.each([
    ['EACCES', 'this user may not write there'],
    ['ENOTDIR', 'a part of its path is a file, not a folder'],
    ['EROFS', 'the disk can only be read'],
    ['ENOSPC', 'the disk is full'],
  ])('because of %s', (code, reason) => {
    const failure = storeFailure(new HBaseError('IO', 'x', { cause: coded(code) }), nameOf)
    expect(message(failure)).toBe(
      `--store VALUE: ${reason} (listen ${code}); choose another folder with --store native:DIRECTORY`,
    )
  })

  test('because its files are more than the process may open names the limit', () => {
    const failure = storeFailure(new HBaseError('IO', 'x', { cause: coded('EMFILE') }), nameOf)
    expect(message(failure)).toMatch(/^--store VALUE: this process may not open as many files.*ulimit -n/)
  })

  test('because another process has it', () => {
    const held = new HBaseError('UNAVAILABLE', 'the directory /d is in use by process 7')
    expect(message(storeFailure(held, nameOf))).toMatch(/^--store VALUE: .*process 7; end that process, or/)
  })

  test('because it is damaged keeps what the engine says', () => {
    const damaged = new HBaseError('CORRUPTION', '/d/MANIFEST is damaged at byte 7')
    expect(message(storeFailure(damaged, nameOf))).toBe('--store VALUE: /d/MANIFEST is damaged at byte 7')
  })

  test('because of a bug keeps its stack', () => {
    const bug = new TypeError('x is not a function')
    expect(storeFailure(bug, nameOf)).toBe(bug)
  })
})
