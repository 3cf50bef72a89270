import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readIdentity } from '../../../../src/doors/rpc/connection/connection-start.ts'
import { ConnectionRefused } from '../../../../src/doors/rpc/contract/connection-refused.ts'
import { Guard } from '../../../../src/gateway/identity/guard/guard.ts'
import { isPrincipalName } from '../../../../src/gateway/identity/guard/principal-name.ts'
import { encodeConnectionStart } from '../../../../src/wire/rpc/connection-preamble.ts'
import { placeFrom } from '../../../harness/login-place.ts'

/** Names of Hadoop, short and in full. */
const GOOD = [
  'ann',
  'a.b-c_d@REALM',
  'host/a.example.org@EXAMPLE.ORG',
  'größe',
  'with space',
  'x'.repeat(255),
]
const BAD = ['@admins', 'a\nb', 'a\0b', 'a\u007f', 'x'.repeat(256), 'ä'.repeat(128), 'x'.repeat(1 << 20)]
/** Preamble, and the length before the header. */
const START_BYTES = 10
const PLACE = placeFrom('127.0.0.1', 'rest')

function guardOfProxy(): Guard {
  const rule = { users: ['*'], groups: [], hosts: ['*'] }
  return new Guard({ certificates: true, proxyRules: new Map([['knox', rule]]) }, pino({ enabled: false }))
}

function identityOf(user: string): string | undefined {
  const start = encodeConnectionStart({ service: 'ClientService', user })
  return readIdentity(start.subarray(START_BYTES)).user
}

test.each(GOOD)('%j may be the name of a user, by each way', async (name) => {
  expect(isPrincipalName(name)).toBe(true)
  expect(await guardOfProxy().actingFor({ user: 'knox' }, name, PLACE)).toEqual({
    user: name,
    realUser: 'knox',
  })
  expect(identityOf(name)).toBe(name)
})

test.each(BAD.map((name) => [name.slice(0, 12), name]))('%j... is refused by each way', async (_, name) => {
  expect(isPrincipalName(name)).toBe(false)
  await expect(guardOfProxy().actingFor({ user: 'knox' }, name, PLACE)).rejects.toMatchObject({
    code: 'ILLEGAL_ARGUMENT',
    message: expect.stringMatching(/^no user can have this name of \d+ bytes/),
  })
  expect(() => identityOf(name)).toThrow(ConnectionRefused)
})

test('no name has more than 255 bytes, a control character, or an @ at its begin', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const isGood =
        name !== '' && Buffer.byteLength(name) <= 255 && !name.startsWith('@') && !/\p{Cc}/u.test(name)
      expect(isPrincipalName(name)).toBe(isGood)
    }),
  )
})
