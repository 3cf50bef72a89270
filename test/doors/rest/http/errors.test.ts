import { describe, expect, test } from 'vitest'
import { errorAnswer, isDoNotRetry, restStatus, withStatus } from '../../../../src/doors/rest/http/errors.ts'
import { ERROR_CODES, ERROR_TRAITS, HBaseError } from '../../../../src/model/errors.ts'

describe('errors', () => {
  test.each(ERROR_CODES)('%s has a status, a line and its class, but no stack', (code) => {
    const { status, body } = errorAnswer(new HBaseError(code, 'the reason'))
    expect(status).toBe(restStatus[code])
    const [line, reason, ...rest] = (body as Buffer).toString().split('\r\n')
    expect(line).toMatch(
      /^(?:Bad request|Forbidden|Not found|Not implemented|Unavailable|Request too large)$/,
    )
    const isPlain = code === 'READ_ONLY'
    expect(reason).toBe(isPlain ? 'the reason' : `${ERROR_TRAITS[code].javaClass}: the reason`)
    expect(rest).toEqual([''])
  })

  test('the class is the one that the store names', () => {
    const javaClass = 'org.apache.hadoop.hbase.UnknownRegionException'
    const { body } = errorAnswer(new HBaseError('DO_NOT_RETRY', 'r', { javaClass }))
    expect((body as Buffer).toString()).toBe(`Unavailable\r\n${javaClass}: r\r\n`)
  })

  test('an error under another status stays what it is', () => {
    const error = new HBaseError('UNAVAILABLE', 'away', { detail: { server: 'a' } })
    const shown = withStatus(500, error)
    expect(shown).toMatchObject({ code: 'UNAVAILABLE', detail: { server: 'a' }, cause: error })
    const { status, body } = errorAnswer(shown)
    expect([status, (body as Buffer).toString()]).toEqual([500, `${error.javaClass}: away\r\n`])
  })

  test('a get takes what can never be had for nothing there, unless its status tells the client more', () => {
    const codes = ERROR_CODES.filter((code) => isDoNotRetry(new HBaseError(code, '')))
    expect(codes).toEqual([
      'TABLE_NOT_FOUND',
      'TABLE_EXISTS',
      'TABLE_NOT_ENABLED',
      'TABLE_NOT_DISABLED',
      'NAMESPACE_NOT_FOUND',
      'NAMESPACE_EXISTS',
      'NO_SUCH_COLUMN_FAMILY',
      'INVALID_FAMILY_OPERATION',
      'DO_NOT_RETRY',
      'CONSTRAINT',
      'FAILED_SANITY_CHECK',
      'UNKNOWN_SCANNER',
    ])
  })

  test('a bug is answered without a word of it', () => {
    const { status, body } = errorAnswer(new TypeError('x is not a function'))
    expect([status, (body as Buffer).toString()]).toEqual([500, 'Server error\r\n'])
  })
})
