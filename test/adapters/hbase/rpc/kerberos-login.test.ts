import { describe, expect, onTestFinished, test } from 'vitest'
import type { ConnectionKerberos, RpcConnection } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { MessageWriter } from '../../../../src/wire/rpc/message-writer.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { writeExceptionResponse } from '../../../../src/wire/rpc/response-frame.ts'
import { encodeSaslAnswer } from '../../../../src/wire/rpc/sasl-answer.ts'
import { type Protection, SaslFailure } from '../../../../src/wire/sasl/sasl.ts'
import { connected, ECHO, echo, failure, raw, someCells } from './echo-connection.ts'
import { FakeKerberosLogin, type FakeLogin } from './fake-kerberos.ts'
import type { FakeHandler } from './fake-region-server.ts'
import { FakeSecureServer, type FakeSecurity } from './fake-secure-server.ts'
import { ACCESS_DENIED, refusal } from './refused-connection.ts'

const PRINCIPAL = 'hbase/host1@REALM'
const SIMPLE = encodeSaslAnswer({ kind: 'simple' })
const MASTER = 'master/host1@REALM'

async function secure(security: FakeSecurity = {}, handler: FakeHandler = echo): Promise<FakeSecureServer> {
  const server = await FakeSecureServer.start(security, handler)
  onTestFinished(() => server.close())
  return server
}

interface Client {
  readonly login: FakeKerberosLogin
  readonly connection: Promise<RpcConnection>
}

function client(
  port: number,
  options: Partial<ConnectionKerberos> & { how?: FakeLogin; timeoutMs?: number; isPassed?: boolean } = {},
): Client {
  const login = new FakeKerberosLogin()
  const { how = {}, timeoutMs = 5_000, isPassed, ...kerberos } = options
  login.how = how
  const connection = connected(port, {
    user: isPassed === true ? 'ann' : login.principal,
    ...(isPassed && { isPassed }),
    limits: { connectTimeoutMs: timeoutMs },
    kerberos: {
      login,
      principals: [PRINCIPAL],
      protections: ['authentication'],
      mayFallBack: false,
      ...kerberos,
    },
  })
  return { login, connection }
}

describe('a login by Kerberos', () => {
  test.each<Protection>(['authentication', 'integrity', 'privacy'])(
    'is followed by the header and calls: %s',
    async (protection) => {
      const server = await secure()
      const { connection, login } = client(server.port, { protections: [protection] })
      const open = await connection
      const block = someCells()
      const { message, cells } = await open.call(ECHO, 'hello', { cells: [block] })
      expect(message).toBe('hello')
      expect(cellsOf(cells)).toEqual(cellsOf(block))
      expect(server.said).toEqual(['HBas\0\x51', `hello ${PRINCIPAL}`, '', `choice ${protection}`])
      const [header] = server.headers
      expect(header?.userInfo?.effectiveUser).toBe('tidegate/host1@REALM')
      expect(header?.userInfo?.realUser).toBe('')
      expect(header?.rpcCryptoCipherTransformation).toBe('')
      const isPlain = Buffer.concat(server.received).includes('hello')
      expect(isPlain).toBe(protection === 'authentication')
      expect(login.open.size).toBe(1)
      open.close()
      expect(login.open.size).toBe(0)
    },
  )

  test.each([1, 7, 70_000])(
    'carries large requests, and answers in pieces of %i bytes or of several frames',
    async (pieceBytes) => {
      const held: (() => void)[] = []
      const server = await secure({ pieceBytes }, (call) => {
        held.push(() => call.reply(call.parameter, call.cells))
        if (held.length === 3) for (const answer of held) answer()
      })
      const { connection } = client(server.port, {
        protections: ['privacy'],
        how: { messageBytesMax: 5_000 },
      })
      const open = await connection
      const texts = pieceBytes < 100 ? ['a', 'bb', 'ccc'] : ['1', '5', '9'].map((n) => n.repeat(1_000_000))
      const answers = await Promise.all(texts.map((text) => open.call(ECHO, text)))
      expect(answers.map(({ message }) => message)).toEqual(texts)
    },
  )

  test('encrypts by AES where both sides have it, and only behind privacy', async () => {
    const server = await secure({ hasAes: true })
    const { connection } = client(server.port, { protections: ['privacy'], asksForAes: true })
    const texts = ['x', 'y'.repeat(300_000), 'z']
    const open = await connection
    for (const text of texts) expect((await open.call(ECHO, text)).message).toBe(text)
    expect(server.headers[0]?.rpcCryptoCipherTransformation).toBe('AES/CTR/NoPadding')
    const { connection: weaker } = client(server.port, { protections: ['integrity'], asksForAes: true })
    expect((await (await weaker).call(ECHO, 'x')).message).toBe('x')
    expect(server.headers[1]?.rpcCryptoCipherTransformation).toBe('')
  })

  test('names the setting where the server has no AES', async () => {
    const server = await secure()
    const options = { protections: ['privacy' as const], asksForAes: true, timeoutMs: 100 }
    const { connection, login } = client(server.port, options)
    expect(await failure(connection)).toMatchObject({
      code: 'LOGIN_FAILED',
      message: expect.stringContaining('hbase.rpc.crypto.encryption.aes.enabled must be true on the servers'),
    })
    expect(login.open.size).toBe(0)
  })

  test("states a passed user, who acts by Tidegate's login", async () => {
    const server = await secure()
    const { connection } = client(server.port, { isPassed: true })
    await (await connection).call(ECHO, 'x')
    expect(server.headers[0]?.userInfo).toMatchObject({ effectiveUser: 'ann', realUser: '' })
  })
})

describe('a server with several possible principals', () => {
  const principals = [MASTER, PRINCIPAL]

  test('is asked for its own', async () => {
    const server = await secure()
    const { connection, login } = client(server.port, { principals })
    expect((await (await connection).call(ECHO, 'x')).message).toBe('x')
    expect(server.said.slice(0, 2)).toEqual(['Securi', 'HBas\0\x51'])
    expect(login.targets).toEqual([PRINCIPAL])
  })

  test('is refused where it names another', async () => {
    const server = await secure({ principal: 'evil/host1@REALM' })
    const { connection, login } = client(server.port, { principals })
    expect(await failure(connection)).toMatchObject({
      code: 'LOGIN_REFUSED',
      message: expect.stringContaining('evil/host1@REALM, and not master/host1@REALM or hbase/host1@REALM'),
    })
    expect(login.targets).toEqual([])
  })

  test('that cannot be asked gets one login after the other', async () => {
    const fatal = 'org.apache.hadoop.hbase.ipc.FatalConnectionException'
    const server = await secure({
      securi: (socket) => {
        setImmediate(() => socket.end())
        return refusal(fatal, 'Expected HEADER=HBas but received HEADER=Secu from 127.0.0.1')
      },
    })
    const { connection, login } = client(server.port, { principals })
    expect((await (await connection).call(ECHO, 'x')).message).toBe('x')
    expect(login.targets).toEqual([MASTER, PRINCIPAL])
    expect(login.open.size).toBe(1)
  })

  test('that takes no logins is refused, unless that is allowed', async () => {
    const security: FakeSecurity = {
      securi: () =>
        refusal('org.apache.hadoop.hbase.ipc.SecurityNotEnabledException', 'security is not enabled'),
      saslAnswer: (_, number) => (number === 0 ? SIMPLE : undefined),
    }
    const server = await secure(security)
    const { connection } = client(server.port, { principals })
    expect(await failure(connection)).toMatchObject({ code: 'LOGIN_REFUSED' })
    const { connection: trusting } = client(server.port, { principals, mayFallBack: true })
    expect((await (await trusting).call(ECHO, 'x')).message).toBe('x')
  })
})

describe('a login that fails', () => {
  test('because the server takes none, names the setting that allows to go on', async () => {
    const server = await secure({ saslAnswer: () => SIMPLE })
    const { connection, login } = client(server.port, { protections: ['privacy'] })
    expect(await failure(connection)).toMatchObject({
      code: 'LOGIN_REFUSED',
      message: expect.stringContaining('hbase.ipc.client.fallback-to-simple-auth-allowed=true'),
    })
    expect(login.open.size).toBe(0)
    const { connection: trusting, login: second } = client(server.port, {
      protections: ['privacy'],
      mayFallBack: true,
    })
    expect((await (await trusting).call(ECHO, 'x')).message).toBe('x')
    expect(second.open.size).toBe(0)
  })

  test("at the server, has the server's words", async () => {
    const server = await secure({ principal: 'hbase/other@REALM' })
    const { connection, login } = client(server.port)
    expect(await failure(connection)).toMatchObject({
      code: 'LOGIN_FAILED',
      message: expect.stringMatching(
        /refuses the Kerberos login to hbase\/host1@REALM: javax.security.sasl.SaslException: GSS initiate failed\. Its log/,
      ),
    })
    expect(login.open.size).toBe(0)
  })

  test('at its last message, too, is the reason of the end', async () => {
    const answer = encodeSaslAnswer({
      kind: 'refused',
      javaClass: 'javax.security.sasl.SaslException',
      message: 'Final handshake failed',
    })
    for (const protection of ['authentication', 'privacy'] as const) {
      const server = await secure({
        saslAnswer: (token) => (token.startsWith('choice') ? answer : undefined),
      })
      const open = await client(server.port, { protections: [protection] }).connection
      const call = await failure(open.call(ECHO, 'x'))
      expect(call).toMatchObject({
        code: 'LOGIN_FAILED',
        message: expect.stringContaining('Final handshake failed'),
      })
    }
  })

  test.each([
    ['Clock skew too great', 'LOGIN_REFUSED'],
    ['Request ticket server hbase/h@R kvno 3 not found in keytab', 'LOGIN_REFUSED'],
    ['Request is a replay', 'LOGIN_FAILED'],
  ])('at a server that gives the reason %s, is %s and has that reason alone', async (reason, code) => {
    const javaClass = 'javax.security.sasl.SaslException'
    const server = await secure({
      saslAnswer: () => encodeSaslAnswer({ kind: 'refused', javaClass, message: reason }),
    })
    const { connection } = client(server.port)
    expect(await failure(connection)).toMatchObject({
      code,
      message: expect.stringMatching(new RegExp(`: ${reason}$`)),
    })
  })

  test.each([
    ['clocks that differ', new SaslFailure('Clock skew too great'), 'LOGIN_REFUSED'],
    ['a KDC that is away', new SaslFailure('Cannot contact any KDC for realm REALM'), 'LOGIN_FAILED'],
    [
      'an unknown principal',
      new SaslFailure('Server hbase/host1@REALM not found in Kerberos database'),
      'LOGIN_REFUSED',
    ],
    ['a bug', new TypeError('x is undefined'), 'LOGIN_FAILED'],
  ])('because of %s, says so', async (_, error, code) => {
    const server = await secure()
    for (const step of [0, 1, 2]) {
      const { connection, login } = client(server.port, { how: { failsAt: { step, error } } })
      expect(await failure(connection)).toMatchObject({
        code,
        message: expect.stringContaining(`the Kerberos login to ${PRINCIPAL} failed: ${error.message}`),
      })
      expect(login.open.size).toBe(0)
    }
  })

  test('has the time of a connection for each step', async () => {
    const silent = await raw(undefined)
    const { connection: unanswered, login } = client(silent.port, { timeoutMs: 50 })
    expect(await failure(unanswered)).toMatchObject({
      code: 'LOGIN_FAILED',
      message: expect.stringContaining('no answer of the server to the Kerberos login within 50 ms'),
    })
    expect(login.open.size).toBe(0)
    const server = await secure()
    const { connection: hanging, login: second } = client(server.port, {
      how: { hangs: true },
      timeoutMs: 50,
    })
    expect(await failure(hanging)).toMatchObject({
      code: 'LOGIN_FAILED',
      message: expect.stringContaining(`no ticket for ${PRINCIPAL} within 50 ms`),
    })
    expect(second.open.size).toBe(0)
  })

  test('with malformed bytes, or with bytes without an end, ends', async () => {
    for (const answer of [
      Buffer.from('HTTP/1.1 400 Bad Request\r\n'),
      Buffer.from('0000000000200000', 'hex'),
      Buffer.concat([Buffer.from('00000000000fffff', 'hex'), Buffer.alloc(4 * 1024 * 1024)]),
    ]) {
      const { port } = await raw(answer)
      const { connection, login } = client(port)
      expect(await failure(connection)).toBeInstanceOf(Error)
      expect(login.open.size).toBe(0)
    }
  })

  test('without an end, ends after 20 messages', async () => {
    const server = await secure()
    const { connection, login } = client(server.port, { how: { isEndless: true } })
    expect(await failure(connection)).toMatchObject({
      code: 'LOGIN_FAILED',
      message: expect.stringContaining('it has not ended after 20 messages'),
    })
    expect(server.said).toHaveLength(21)
    expect(login.open.size).toBe(0)
  })

  test('with the connection, ends with it', async () => {
    const server = await secure({
      saslAnswer: (_, number) => {
        if (number === 1) for (const socket of server.sockets) socket.destroy()
        return undefined
      },
    })
    const { connection, login } = client(server.port)
    expect(await failure(connection)).toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(login.open.size).toBe(0)
  })
})

describe('the refusal of a user', () => {
  const words = 'User: tidegate/host1@REALM is not allowed to impersonate ann'

  test.each<Protection>(['authentication', 'privacy'])(
    'names the keys to set, protected or not as HBase 2.4 sends it: %s',
    async (protection) => {
      const server = await secure({ onHeader: () => refusal(ACCESS_DENIED, words) })
      const open = await client(server.port, { protections: [protection], isPassed: true }).connection
      expect(await failure(open.call(ECHO, 'x'))).toMatchObject({
        code: 'USER_REFUSED',
        message: expect.stringMatching(
          /impersonate ann: in the core-site.xml .* hadoop.proxyuser.tidegate.hosts must name this host, and hadoop.proxyuser.tidegate.users or .groups the user/,
        ),
      })
    },
  )
})

describe('protected traffic', () => {
  test('that is malformed ends the connection, and its calls may be repeated', async () => {
    for (const strange of [Buffer.from('000000050000000900', 'hex'), Buffer.from('7fffffff', 'hex')]) {
      const server = await secure({}, (call) => {
        if (call.parameter.toString() === 'bad') call.socket.write(strange)
        else call.reply(call.parameter)
      })
      const open = await client(server.port, { protections: ['integrity'] }).connection
      expect((await open.call(ECHO, 'good')).message).toBe('good')
      expect(await failure(open.call(ECHO, 'bad'))).toMatchObject({ sent: true })
      expect(open.closedBy?.code).toMatch(/CONNECTION_CLOSED|BAD_RESPONSE/)
    }
  })

  test('may not be left out: an answer in the clear is no answer', async () => {
    const server = await secure({}, (call) => {
      const writer = new MessageWriter()
      const stackTrace = 'x.Y: in the clear'
      writeExceptionResponse(
        writer,
        call.header.callId,
        new RemoteException({ javaClass: 'x.Y', stackTrace, doNotRetry: true }),
      )
      call.socket.write(writer.take())
    })
    const open = await client(server.port, { protections: ['privacy'] }).connection
    expect(await failure(open.call(ECHO, 'x'))).toMatchObject({
      code: 'CONNECTION_CLOSED',
      message: expect.stringContaining('out of order'),
    })
  })

  test('that cannot be sent ends the connection', async () => {
    const server = await secure()
    const { connection, login } = client(server.port, { protections: ['privacy'] })
    const open = await connection
    const [exchange] = login.open
    exchange!.layer!.wrap = () => {
      throw new SaslFailure('the ticket has ended')
    }
    expect(await failure(open.call(ECHO, 'x'))).toMatchObject({
      code: 'CONNECTION_CLOSED',
      message: expect.stringContaining('the ticket has ended'),
    })
  })
})
