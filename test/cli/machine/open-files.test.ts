import { describe, expect, test } from 'vitest'
import {
  OPEN_FILES_MIN,
  openFiles,
  openFilesFault,
  openFilesMax,
  openFilesRefusal,
} from '../../../src/cli/machine/open-files.ts'

const limits = (files: string): string =>
  [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    'Max processes             31                   31                   processes ',
    `Max open files            ${files.padEnd(20)} 1048576              files     `,
  ].join('\n')

const coded = (code: string): Error => Object.assign(new Error(code), { code })

describe('the limit of open files', () => {
  test.each([String(OPEN_FILES_MIN), 'unlimited'])('%s is enough', (files) => {
    expect(openFilesFault(() => limits(files))).toBeUndefined()
  })

  test('is enough where the system does not tell it', () => {
    expect(openFilesFault(() => '')).toBeUndefined()
  })

  test('is told with the least one where it is lower', () => {
    const fault = openFilesFault(() => limits(String(OPEN_FILES_MIN - 1)))
    expect(fault).toMatch(/^this process may open only 255 files: raise the limit to 256 or more /)
  })
})

test('the limit and the open files of this process are known', () => {
  expect(openFilesMax(() => limits('4321'))).toBe(4321)
  expect(openFilesMax(() => limits('unlimited'))).toBeUndefined()
  expect(openFilesMax()).toBeGreaterThan(openFiles())
  // As on another system than Linux: the limit is Node's to tell.
  expect(openFilesMax(() => '')).toBe(openFilesMax())
  expect(openFiles()).toBeGreaterThan(3)
})

test('an error of the limit is told apart from others', () => {
  expect(openFilesRefusal(coded('EMFILE'), () => limits('300'))).toContain(
    'raise the limit of 300 files before',
  )
  expect(openFilesRefusal(coded('EMFILE'), () => limits('unlimited'))).toContain('raise the limit to 256')
  expect(openFilesRefusal(coded('ENFILE'))).toContain('the machine')
  expect(openFilesRefusal(coded('ENOENT'))).toBeUndefined()
  expect(openFilesRefusal(undefined)).toBeUndefined()
})
