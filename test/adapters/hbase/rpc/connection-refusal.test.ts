import { expect, test } from 'vitest'
import { connected, ECHO, failure, raw } from './echo-connection.ts'
import { ACCESS_DENIED, refusal } from './refused-connection.ts'

test.each([
  [
    'Authentication is required',
    false,
    'LOGIN_REFUSED',
    /required \(the cluster asks for Kerberos: serve with --k/,
  ],
  [
    'Authentication is required',
    true,
    'USER_REFUSED',
    /required \(tidegate: --user NAME; the cluster asks for/,
  ],
  ['Authentication is required: show a ticket of Kerberos', false, 'LOGIN_REFUSED', /asks for Kerberos/],
  ['Authentication is required: show a certificate', false, 'LOGIN_REFUSED', /show a certificate$/],
  ['the user is unknown', false, 'CONNECTION_CLOSED', /the user is unknown$/],
] as const)(
  'the refusal %s of a server, with isPassed=%s, is %s',
  async (message, isPassed, code, advice) => {
    const { port } = await raw(refusal(ACCESS_DENIED, message))
    const open = await connected(port, { isPassed })
    expect(await failure(open.call(ECHO, 'x'))).toMatchObject({
      code,
      message: expect.stringMatching(advice),
    })
  },
)
