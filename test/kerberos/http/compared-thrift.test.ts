/** HBase's own secure Thrift server over HTTP and Tidegate's door, shown the same logins: equal statuses, challenges and cookies. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import { runningRealm } from '../../harness/kerberos/running-parts.ts'
import { startSecuredHBase } from '../../harness/kerberos/secured-hbase.ts'
import type { RealHBase } from '../../harness/real-hbase/real-hbase.ts'
import { getRow } from '../../harness/thrift-frames.ts'
import { askLogin, type LoginAnswer } from './compared-answers.ts'
import { openTicketDoors, type TicketDoors } from './ticket-holders.ts'

let open: TicketDoors
let login: KerberosLogin
let hbase: RealHBase
beforeAll(async () => {
  hbase = await startSecuredHBase(runningRealm(), { thriftHttp: true, gateways: ['thrift1'] })
  open = await openTicketDoors()
  login = await open.logIn('http-dora')
}, 240_000)
afterAll(async () => {
  await hbase?.stop()
  login?.close()
  await open?.close()
}, 60_000)

async function ticketHeader(): Promise<string> {
  return `Negotiate ${(await login.negotiate(open.target)).toString('base64')}`
}

type Headers = Readonly<Record<string, string>>

async function expectEqual(headers: () => Headers | Promise<Headers>, status: number): Promise<void> {
  const answers: Omit<LoginAnswer, 'kept'>[] = []
  for (const port of [hbase.ports.thrift1, open.doors.doors.thrift.port]) {
    const body = getRow('t', 'r').subarray(4)
    const { kept: _, ...answer } = await askLogin({ port, path: '/', headers: await headers(), body })
    answers.push(answer)
  }
  expect(answers[1]).toEqual(answers[0])
  expect(answers[0]!.status).toBe(status)
}

test('no login, a ticket, and bytes that are none', async () => {
  await expectEqual(() => ({}), 401)
  await expectEqual(async () => ({ authorization: await ticketHeader() }), 200)
  await expectEqual(
    () => ({ authorization: `Negotiate ${Buffer.from('no ticket').toString('base64')}` }),
    401,
  )
}, 60_000)
