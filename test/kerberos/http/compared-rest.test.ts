/** HBase's own secure REST server and Tidegate's door, shown the same logins: equal statuses, challenges and cookies. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import { runningHBase } from '../../harness/kerberos/running-parts.ts'
import { askLogin, type LoginAnswer } from './compared-answers.ts'
import { openTicketDoors, type TicketDoors } from './ticket-holders.ts'

const { ports } = runningHBase()
const USER = 'http-cora'
const PATH = '/version'

let open: TicketDoors
let login: KerberosLogin
beforeAll(async () => {
  open = await openTicketDoors()
  login = await open.logIn(USER)
}, 60_000)
afterAll(async () => {
  login?.close()
  await open?.close()
})

async function ticketHeader(): Promise<string> {
  return `Negotiate ${(await login.negotiate(open.target)).toString('base64')}`
}

type Headers = Readonly<Record<string, string>>

/** The answers of HBase and of Tidegate. `headers` is called for each, because a ticket counts once. */
async function both(headers: () => Headers | Promise<Headers>): Promise<LoginAnswer[]> {
  const answers: LoginAnswer[] = []
  for (const port of [ports.rest, open.doors.doors.rest.port])
    answers.push(await askLogin({ port, path: PATH, headers: await headers() }))
  return answers
}

/** Tidegate adds SameSite to HBase's cookie: docs/kerberos-doors.md. */
const shown = ({ status, challenges, cookies }: LoginAnswer): unknown => ({
  status,
  challenges,
  cookies: cookies.map((cookie) => cookie.replace(/; SameSite=Lax$/, '')),
})

async function expectEqual(
  headers: () => Headers | Promise<Headers>,
  status: number,
): Promise<LoginAnswer[]> {
  const answers = await both(headers)
  const [real, own] = answers
  expect(shown(own!)).toEqual(shown(real!))
  expect(real!.status).toBe(status)
  return answers
}

test('no login, and one of another scheme', async () => {
  await expectEqual(() => ({}), 401)
  await expectEqual(() => ({ authorization: 'Basic YTpi' }), 401)
})

test('a ticket, and the cookie that each server gives for it', async () => {
  const answers = await expectEqual(async () => ({ authorization: await ticketHeader() }), 200)
  const cookies = answers.map(({ kept }) => kept)
  expect(cookies[0]).toMatch(/^hadoop\.auth="u=http-cora&p=http-cora@TIDEGATE\.TEST&t=kerberos&e=/)
  let at = 0
  await expectEqual(() => ({ cookie: cookies[at++]! }), 200)
  at = 0
  await expectEqual(() => ({ cookie: cookies[at++]!.replace('u=http-cora', 'u=http-root') }), 401)
  at = 0
  await expectEqual(
    async () => ({
      cookie: cookies[at++]!.replace(/s=.{9}/, 's=AAAAAAAAA'),
      authorization: await ticketHeader(),
    }),
    200,
  )
})

test('a ticket that is damaged', async () => {
  const token = (await login.negotiate(open.target)).toString('base64')
  const damaged = `${token.slice(0, 400)}${token[400] === 'A' ? 'B' : 'A'}${token.slice(401)}`
  await expectEqual(() => ({ authorization: `Negotiate ${damaged}` }), 403)
})

test('Tidegate asks once more where HBase refuses: bytes that are no ticket, and NTLM', async () => {
  const ntlm = Buffer.from('NTLMSSP\0\x01\0\0\0').toString('base64')
  for (const authorization of [`Negotiate ${ntlm}`, 'Negotiate !!!']) {
    const [real, own] = await both(() => ({ authorization }))
    expect([real!.status, own!.status]).toEqual([403, 401])
  }
})
