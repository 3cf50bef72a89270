import { expect, test } from 'vitest'
import { absentServerText } from '../../../src/cli/terminal/absent-server.ts'
import { HBaseError } from '../../../src/model/errors.ts'

function textOf(message: string): string | undefined {
  return absentServerText(new HBaseError('UNAVAILABLE', message))
}

test('the address of a server that is not there comes first', () => {
  const refused =
    'security capabilities failed after attempts=13: connect ECONNREFUSED 10.0.0.1:16020 (a moment ago)'
  expect(textOf(refused)).toMatch(/^nothing answers at 10\.0\.0\.1:16020: .*security capabilities/)
  expect(textOf('connect ETIMEDOUT ::1:16020')).toMatch(/^nothing answers at ::1:16020: /)
  expect(textOf('getaddrinfo ENOTFOUND db')).toMatch(/^no address is known for the host db: /)
  expect(textOf('the region is opening')).toBeUndefined()
})
