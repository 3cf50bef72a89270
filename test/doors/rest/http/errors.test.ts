import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { errorAnswer, restStatus } from '../../../../src/doors/rest/http/errors.ts'
import { type ErrorCode, HBaseError, javaClassOf } from '../../../../src/model/errors.ts'

const silent = pino({ level: 'silent' })

describe('errors', () => {
  test.each(Object.keys(javaClassOf) as ErrorCode[])(
    '%s has a status, a line and its class, but no stack',
    (code) => {
      const { status, body } = errorAnswer(new HBaseError(code, 'the reason'), silent)
      expect(status).toBe(restStatus[code])
      const [line, reason, ...rest] = (body as Buffer).toString().split('\r\n')
      expect(line).toMatch(/^(?:Bad request|Not found|Unavailable|Request too large)$/)
      expect(reason).toBe(`${javaClassOf[code]}: the reason`)
      expect(rest).toEqual([''])
    },
  )

  test('a bug is answered without a word of it', () => {
    const { status, body } = errorAnswer(new TypeError('x is not a function'), silent)
    expect([status, (body as Buffer).toString()]).toEqual([500, 'Server error\r\n'])
  })
})
