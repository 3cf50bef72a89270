/** Thrift over HTTP with a wrong login: clients that ignore the status find a Thrift exception in the body. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeUser } from '../../../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../../../src/library/start-tidegate.ts'
import { applicationErrorText } from '../../../../src/wire/thrift/client-codec.ts'
import { CompactReader } from '../../../../src/wire/thrift/compact-reader.ts'
import { MessageType } from '../../../../src/wire/thrift/protocol.ts'
import { PemFolder } from '../../../harness/certificates.ts'
import { callBytes } from './raw-client.ts'

let folder: PemFolder
let server: Tidegate
beforeEach(async () => {
  folder = new PemFolder()
  const users = `${folder.path}/users`
  await writeUser(users, 'alice', 'the password of alice')
  server = await startTidegate({
    users,
    insecure: true,
    rest: 'off',
    rpc: 'off',
    zookeeper: 'off',
    thrift: 0,
  })
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

async function post(protocol: 'binary' | 'compact', type: string): Promise<Response> {
  const authorization = `Basic ${Buffer.from('alice:wrong').toString('base64')}`
  return fetch(`http://127.0.0.1:${server.ports.thrift}/`, {
    method: 'POST',
    body: callBytes(protocol, 'add', { left: 1n, right: 2n }, 5),
    headers: { authorization, 'content-type': type },
  })
}

test('the body is an exception with the reason, in binary', async () => {
  const answer = await post('binary', 'application/x-thrift')
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toContain('Basic')
  expect(answer.headers.get('content-type')).toBe('application/x-thrift')
  expect(applicationErrorText(Buffer.from(await answer.arrayBuffer()))).toMatch(/user|log in|password/)
})

test('or in compact, for a client that speaks it', async () => {
  const body = Buffer.from(await (await post('compact', 'Application/X-Thrift; v=1')).arrayBuffer())
  const reader = new CompactReader(8)
  reader.reset(body, 0, body.length)
  reader.readMessageBegin()
  expect(reader.messageType).toBe(MessageType.EXCEPTION)
})

test('others get text', async () => {
  const answer = await post('binary', 'application/octet-stream')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'text/plain'])
})
