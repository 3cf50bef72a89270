/** The beginning and the end of connections, and bytes that come from no client of HBase. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { get } from '../../../../src/model/query.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { encodeConnectionStart } from '../../../../src/wire/rpc/connection-preamble.ts'
import { ResponseFrame } from '../../../../src/wire/rpc/response-frame.ts'
import { exchange, type RpcServer, startRpcServer, TABLE } from '../rpc-server.ts'

let server: RpcServer

beforeEach(async () => {
  server = await startRpcServer({ limits: { requestBytesMax: 1_000_000 } })
})

afterEach(() => server.close())

/** The exception in the server's answer to the connection. */
function refusal(answer: Buffer): string | undefined {
  const frame = new ResponseFrame()
  frame.read(answer, 4, 4 + answer.readInt32BE(0))
  expect(frame.concernsConnection).toBe(true)
  return frame.exception?.javaClass
}

async function stillServes(): Promise<void> {
  const { counts } = await server.remote.rows.get(TABLE, [get(Buffer.from('r'))], { bytes: 100 }, OWN_CALL)
  expect(counts).toEqual([0])
}

const START = encodeConnectionStart({ service: 'ClientService', user: 'me' })

test('a client of 2.6 asks for the id of the cluster alone', async () => {
  const answer = await exchange(server.door.port, Buffer.from('Regist'))
  expect(answer.toString('latin1')).toContain(await server.store.clusterId())
})

test('a client that asks how to log in learns that it need not, and goes on', async () => {
  const both = Buffer.concat([Buffer.from('Securi'), START, Buffer.from([0, 0, 0, 1, 0xff])])
  const answer = await exchange(server.door.port, both)
  expect(refusal(answer)).toBe('org.apache.hadoop.hbase.ipc.SecurityNotEnabledException')
})

test('a client with Kerberos is asked to go on without', async () => {
  const answer = await exchange(
    server.door.port,
    Buffer.from('HBas\0\x51', 'latin1'),
    ({ length }) => length >= 8,
  )
  expect(answer.readInt32BE(0)).toBe(0)
  expect(answer.readInt32BE(4)).toBe(-88)
})

test.each([
  ['of HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n'), 'FatalConnectionException'],
  ['of another version', Buffer.from('HBas\x01\x50', 'latin1'), 'WrongVersionException'],
  ['of an unknown way to log in', Buffer.from('HBas\0\x01', 'latin1'), 'BadAuthException'],
  [
    'for an unknown service',
    encodeConnectionStart({ service: 'Nope', user: 'me' }),
    'UnknownServiceException',
  ],
  [
    'for an unknown compressor',
    encodeConnectionStart({ service: 'ClientService', user: 'me', compressorClass: 'x.Y' }),
    'UnsupportedCompressionCodecException',
  ],
  [
    'with a header too large',
    Buffer.concat([START.subarray(0, 6), Buffer.from('7fffffff', 'hex')]),
    'FatalConnectionException',
  ],
  [
    'with a negative frame',
    Buffer.concat([START, Buffer.from('ffffffff', 'hex')]),
    'FatalConnectionException',
  ],
  [
    'with a frame that is no request',
    Buffer.concat([START, Buffer.from('00000002ffff', 'hex')]),
    'FatalConnectionException',
  ],
])('a connection %s gets a reason, and is closed', async (_, bytes, javaClass) => {
  const answer = await exchange(server.door.port, bytes)
  expect(refusal(answer)).toBe(`org.apache.hadoop.hbase.ipc.${javaClass}`)
  await stillServes()
})

test('a method that the service does not have is answered, and the connection goes on', async () => {
  const header = Buffer.from([8, 7, 26, 4, ...Buffer.from('Nope'), 32, 1])
  const request = Buffer.from([0, 0, 0, header.length + 2, header.length, ...header, 0])
  const answer = await exchange(
    server.door.port,
    Buffer.concat([START, request, request]),
    (all) => all.length > 4 && all.length >= 2 * (4 + all.readInt32BE(0)),
  )
  const frame = new ResponseFrame()
  frame.read(answer, 4, 4 + answer.readInt32BE(0))
  expect([frame.callId, frame.exception?.javaClass]).toEqual([
    7,
    'org.apache.hadoop.hbase.DoNotRetryIOException',
  ])
})

test('random bytes behind the preamble end their connection alone', async () => {
  for (let i = 0; i < 50; i++) {
    const junk = Buffer.from(Array.from({ length: 40 }, (_, at) => (at * 7919 + i * 104729) % 251))
    junk.writeInt32BE(36, 0)
    const bytes = Buffer.concat([START, junk])
    await exchange(server.door.port, bytes, ({ length }) => length > 4)
  }
  await stillServes()
})
