import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { Guard } from '../../../src/gateway/identity/guard/guard.ts'
import { ERROR_CODE, OP_CODE } from '../../../src/wire/zookeeper/codes.ts'
import { part, readLast } from '../../../src/wire/zookeeper/frames.ts'
import { SASL_TOKEN, WHO_AM_I_RESPONSE } from '../../../src/wire/zookeeper/server-records.ts'
import { FakeClient, FakeService, fakeLogins } from '../../harness/fake-kerberos.ts'
import { RawClient, startServer, type ZooKeeperServer } from './zookeeper-server.ts'

let server: ZooKeeperServer | undefined

afterEach(async () => {
  await server?.stop()
  server = undefined
})

async function connected(service: FakeService | undefined): Promise<RawClient> {
  const logins = service && { ...fakeLogins(service, ['authentication']), zookeeper: service }
  const guard = new Guard({ certificates: false }, pino({ level: 'silent' }), { kerberos: logins })
  server = await startServer({ guard })
  return await RawClient.connected(server.door.port)
}

async function send(client: RawClient, token: Buffer | null): Promise<Buffer | null | number> {
  const { err, reader } = await client.ask(OP_CODE.sasl, part(SASL_TOKEN, { token }))
  return err === ERROR_CODE.ok ? readLast(reader, SASL_TOKEN).token : err
}

describe('logins by SASL at the door of ZooKeeper', () => {
  test('a client that logs in is let in, and whoAmI has its principal', async () => {
    const service = new FakeService()
    const client = await connected(service)
    const exchange = new FakeClient({ principal: 'alice@TEST' }, ['authentication'])
    let token: Buffer = Buffer.alloc(0)
    for (let isDone = false; !isDone; ) {
      const step = await exchange.step(token)
      const answer = await send(client, step.token ?? null)
      expect(answer).not.toBe(ERROR_CODE.authFailed)
      token = (answer as Buffer | null) ?? Buffer.alloc(0)
      isDone = step.isDone
    }
    const { reader } = await client.ask(OP_CODE.whoAmI)
    expect(readLast(reader, WHO_AM_I_RESPONSE).clientInfo).toContainEqual({
      authScheme: 'sasl',
      user: 'alice@TEST',
    })
    expect(await client.askPath(OP_CODE.exists, '/hbase/master')).toMatchObject({ err: ERROR_CODE.ok })
    expect(service.open).toBe(1)
    client.close()
    await expect.poll(() => service.open).toBe(0)
  })

  test.each([
    ['a ticket that is none', Buffer.from('none')],
    ['a message that is too long', Buffer.from(`ticket${'t'.repeat(65_535)}`)],
  ])('%s ends the connection', async (_, token) => {
    const service = new FakeService()
    const client = await connected(service)
    expect(await send(client, token)).toBe(ERROR_CODE.authFailed)
    await client.closed()
    await expect.poll(() => service.open).toBe(0)
  })

  test('a server without Kerberos answers with nothing', async () => {
    const client = await connected(undefined)
    expect(await send(client, Buffer.from('ticket'))).toBeNull()
    expect(await client.askPath(OP_CODE.exists, '/hbase/master')).toMatchObject({ err: ERROR_CODE.ok })
  })
})
