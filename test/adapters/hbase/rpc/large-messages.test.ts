/** Large protected messages of a connection to a cluster's server: other work goes on while one is read or made. */

import { expect, onTestFinished, test } from 'vitest'
import type { RpcConnection } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import type { SaslLayer } from '../../../../src/wire/sasl/sasl.ts'
import { SlowLayer } from '../../../harness/slow-layer.ts'
import { connected, ECHO, echo, failure } from './echo-connection.ts'
import { FakeKerberosLogin } from './fake-kerberos.ts'
import { FakeSecureServer } from './fake-secure-server.ts'

const LARGE = 100_000
const TEXT = 'x'.repeat(1_000_000)

async function open(): Promise<{ connection: RpcConnection; layer: SlowLayer; login: FakeKerberosLogin }> {
  const server = await FakeSecureServer.start({ pieceBytes: 3 * LARGE, hasLargeTokens: true }, echo)
  onTestFinished(() => server.close())
  const login = new FakeKerberosLogin()
  let slow: SlowLayer | undefined
  login.how = { layerOf: (layer: SaslLayer) => (slow = new SlowLayer(layer, LARGE)) }
  const connection = await connected(server.port, {
    user: login.principal,
    kerberos: { login, principals: ['hbase/host1@REALM'], protections: ['privacy'], mayFallBack: false },
  })
  return { connection, layer: slow!, login }
}

test('requests and answers of any length come whole, many at a time', async () => {
  const { connection, layer } = await open()
  const lengths = [1, LARGE, 5, TEXT.length, 2 * LARGE, 77, TEXT.length, 3]
  const calls = lengths.map((length, at) =>
    connection.call(ECHO, String.fromCharCode(97 + at).repeat(length)),
  )
  const answers = await Promise.all(calls)
  expect(answers.map(({ message }) => [message.at(-1), message.length])).toEqual(
    lengths.map((length, at) => [String.fromCharCode(97 + at), length]),
  )
  expect(layer.count).toBeGreaterThan(8)
})

test('a connection that closes while a message is read, or made, fails its calls at once', async () => {
  for (const number of [0, 4]) {
    const { connection, layer, login } = await open()
    let release: (() => void) | undefined
    layer.pause = async () => {
      // A request has four pieces, then its answer comes.
      if (layer.count <= number) return
      release = layer.hold()
      await layer.pause()
    }
    const failed = failure(connection.call(ECHO, TEXT))
    await expect.poll(() => release !== undefined && layer.isBusy).toBe(true)
    connection.close()
    expect(await failed).toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(login.open.size).toBe(0)
    release!()
    await expect.poll(() => layer.isBusy).toBe(false)
  }
})

test('a message that cannot be read, or made, ends the connection', async () => {
  for (const number of [0, 4]) {
    const { connection, layer } = await open()
    layer.pause = async () => {
      if (layer.count > number) throw new Error('the thread has ended')
    }
    expect(await failure(connection.call(ECHO, TEXT))).toMatchObject({
      message: expect.stringContaining('the thread has ended'),
    })
    expect(connection.closedBy).toBeDefined()
  }
})
