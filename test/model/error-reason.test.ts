import { expect, test } from 'vitest'
import { InvariantError } from '../../src/model/assert.ts'
import { bugBehind, errorFields, reasonOf, systemCodeOf } from '../../src/model/error-reason.ts'
import { HBaseError } from '../../src/model/errors.ts'
import { UnfitFileError } from '../../src/model/unfit-file.ts'

const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

test('a reason has each message of the chain once', () => {
  const inner = new HBaseError('IO', 'cannot write (ENOSPC: no space left on device, write)', { cause: full })
  expect(reasonOf(new Error('a flush failed', { cause: inner }))).toBe(
    'a flush failed: cannot write (ENOSPC: no space left on device, write)',
  )
  expect(reasonOf('thrown text')).toBe('thrown text')
  expect(reasonOf(new TypeError())).toBe('TypeError')
  const ring = new Error('a')
  ring.cause = ring
  expect(reasonOf(ring)).toBe('a')
})

test('the system’s code is found below the house’s', () => {
  expect(systemCodeOf(new HBaseError('IO', 'no', { cause: full }))).toBe('ENOSPC')
  expect(systemCodeOf(new HBaseError('IO', 'no'))).toBeUndefined()
})

test('a file that is not as it should be is no bug', () => {
  expect(errorFields(new UnfitFileError('/groups: line 1 is not GROUP:USER,USER')).stack).toBeUndefined()
  expect(errorFields(new Error('of nobody')).stack).toBeDefined()
})

test('a failure has no stack, a bug has the one of the bug', () => {
  expect(bugBehind(new HBaseError('IO', 'no', { cause: full }))).toBeUndefined()
  expect(bugBehind(full)).toBeUndefined()
  const invariant = new InvariantError('cells in order')
  expect(bugBehind(new HBaseError('UNAVAILABLE', 'no', { cause: invariant }))).toBe(invariant)
  const bug = new Error('what')
  expect(bugBehind(bug)).toBe(bug)
})

test('the fields of an error are never a name and a code alone', () => {
  expect(errorFields(new HBaseError('IO', 'no', { detail: { offset: 2n ** 60n } }))).toEqual({
    code: 'IO',
    reason: 'no',
    detail: { offset: '1152921504606846976' },
  })
  expect(JSON.parse(JSON.stringify(errorFields(new TypeError('x'))))).toMatchObject({
    name: 'TypeError',
    reason: 'x',
    stack: expect.stringContaining('error-reason.test') as string,
  })
})
