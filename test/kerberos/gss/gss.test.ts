import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosLogin, KerberosService } from '../../../src/kerberos/kerberos.ts'
import { KerberosError } from '../../../src/kerberos/kerberos.ts'
import {
  PROTECTIONS,
  type Protection,
  type SaslExchange,
  SaslFailure,
  type SaslServer,
} from '../../../src/wire/sasl/sasl.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'

const SERVICE = 'hbase/localhost@TIDEGATE.TEST'
const WEB = 'HTTP/localhost@TIDEGATE.TEST'

let folder: string
let kdc: Kdc
let kerberos: Kerberos
let alice: KerberosLogin
let service: KerberosService
let environment: Readonly<Record<string, string | undefined>>

const keytab = (name: string): string => join(folder, `${name}.keytab`)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gss-test-'))
  kdc = await Kdc.start()
  environment = Object.fromEntries(Object.keys(kdc.environment).map((name) => [name, process.env[name]]))
  Object.assign(process.env, kdc.environment)
  await kdc.addPrincipal('alice', { keytab: keytab('alice') })
  await kdc.addPrincipal('hbase/localhost', { keytab: keytab('service') })
  await kdc.addPrincipal('HTTP/localhost', { keytab: keytab('service') })
  kerberos = openKerberos()
  alice = await kerberos.logIn({ principal: 'alice@TIDEGATE.TEST', keytab: keytab('alice') })
  service = await kerberos.accept({ keytab: keytab('service') })
})

afterAll(async () => {
  alice?.close()
  service?.close()
  await kerberos?.close()
  await kdc?.close()
  for (const [name, value] of Object.entries(environment ?? {}))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  rmSync(folder, { recursive: true, force: true })
})

interface Pair {
  readonly client: SaslExchange
  readonly server: SaslServer
}

function pair(liked: readonly Protection[], taken: readonly Protection[] = PROTECTIONS): Pair {
  return { client: alice.saslClient(SERVICE, liked), server: service.saslServer(taken) }
}

/** Carries the messages of both sides. `changed`: changes the n-th message on its way to the server. */
async function logIn(
  { client, server }: Pair,
  changed: (token: Buffer, turn: number) => Buffer = (token) => token,
): Promise<void> {
  let token: Buffer = Buffer.alloc(0)
  for (let turn = 0; turn < 10; turn++) {
    const fromClient = await client.step(token)
    if (fromClient.token === undefined) return
    const fromServer = await server.step(changed(fromClient.token, turn))
    if (fromServer.isDone) return
    token = fromServer.token!
  }
  throw new Error('the login has no end')
}

function close({ client, server }: Pair): void {
  client.close()
  server.close()
}

describe('a login by SASL GSSAPI', () => {
  test.each(PROTECTIONS)('agrees on %s', async (protection) => {
    const sides = pair([protection])
    await logIn(sides)
    const { client, server } = sides
    expect(server.authenticated).toBe('alice@TIDEGATE.TEST')
    expect(server.authorized).toBe('')
    const agreed = protection === 'authentication' ? undefined : protection
    expect([client.layer?.protection, server.layer?.protection]).toEqual([agreed, agreed])
    close(sides)
  })

  test('takes what the client likes best of what the server takes', async () => {
    const sides = pair(['privacy', 'integrity'], ['authentication', 'integrity'])
    await logIn(sides)
    expect(sides.server.layer?.protection).toBe('integrity')
    close(sides)
  })

  test('fails where the sides have no protection in common', async () => {
    const sides = pair(['privacy'], ['authentication'])
    await expect(logIn(sides)).rejects.toThrow('hbase.rpc.protection on both sides')
    close(sides)
  })

  test('fails with any message that was cut, changed in one byte, or replaced', async () => {
    const ways: ((token: Buffer) => Buffer)[] = [
      (token) => token.subarray(0, token.length - 1),
      (token) => Buffer.concat([token.subarray(0, token.length - 1), Buffer.from([token.at(-1)! ^ 1])]),
      () => Buffer.from('junk'),
      (token) => (token.length === 0 ? Buffer.from([1]) : Buffer.alloc(0)),
    ]
    for (const way of ways) {
      for (const turn of [0, 2]) {
        const sides = pair(['privacy'])
        const changed = logIn(sides, (token, at) => (at === turn ? way(token) : token))
        await expect(changed).rejects.toBeInstanceOf(SaslFailure)
        expect(sides.server.layer).toBeUndefined()
        close(sides)
      }
    }
  })

  test('fails with a first message that was shown before', async () => {
    const first = pair(['authentication'])
    const { token } = await first.client.step(Buffer.alloc(0))
    await first.server.step(token!)
    const second = service.saslServer(PROTECTIONS)
    await expect(second.step(token!)).rejects.toThrow('replay')
    second.close()
    close(first)
  })

  test('fails at a service that the KDC does not know', async () => {
    const client = alice.saslClient('hbase/elsewhere@TIDEGATE.TEST', PROTECTIONS)
    await expect(client.step(Buffer.alloc(0))).rejects.toThrow('hbase.regionserver.kerberos.principal')
    client.close()
  })

  test('that is closed in the middle of a step gives its context back', async () => {
    const sides = pair(['privacy'])
    const { token } = await sides.client.step(Buffer.alloc(0))
    const step = sides.server.step(token!)
    close(sides)
    await expect(step).rejects.toThrow('has ended')
    await expect(sides.client.step(Buffer.alloc(0))).rejects.toBeInstanceOf(SaslFailure)
  })
})

describe('a protected message', () => {
  test.each(['integrity', 'privacy'] as const)(
    'arrives as it was, of any length (%s)',
    async (protection) => {
      const sides = pair([protection])
      await logIn(sides)
      const { client, server } = sides
      for (const length of [0, 1, 15, 16, 17, 1000, 65_536, 3_000_001]) {
        const message = Buffer.alloc(length, 'message')
        const token = client.layer!.wrap(message)
        expect(token.includes('messagemessage')).toBe(protection === 'integrity' && length > 14)
        expect(server.layer!.unwrap(token).equals(message)).toBe(true)
        expect(client.layer!.unwrap(server.layer!.wrap(message)).equals(message)).toBe(true)
      }
      close(sides)
    },
  )

  test.each(['integrity', 'privacy'] as const)(
    'is refused where a byte was changed, and where it was shown before (%s)',
    async (protection) => {
      const sides = pair([protection])
      await logIn(sides)
      const token = sides.client.layer!.wrap(Buffer.from('a message'))
      for (let at = 0; at < token.length; at++) {
        // Bytes 6 and 7 state how far the rest is rotated: other turns may say the same.
        if (at === 6 || at === 7) continue
        const changed = Buffer.from(token)
        changed[at]! ^= 0x80
        expect(() => sides.server.layer!.unwrap(changed), `byte ${at}`).toThrow(SaslFailure)
      }
      expect(sides.server.layer!.unwrap(Buffer.from(token)).toString()).toBe('a message')
      expect(() => sides.server.layer!.unwrap(Buffer.from(token))).toThrow(SaslFailure)
      close(sides)
    },
  )

  test('is refused where it is signed and should be encrypted', async () => {
    const [signed, encrypted] = [pair(['integrity']), pair(['privacy'])]
    await logIn(signed)
    await logIn(encrypted)
    expect(() => encrypted.server.layer!.unwrap(signed.client.layer!.wrap(Buffer.from('x')))).toThrow(
      SaslFailure,
    )
    close(signed)
    close(encrypted)
  })

  test('of a closed login is refused', async () => {
    const sides = pair(['privacy'])
    await logIn(sides)
    const { layer } = sides.client
    close(sides)
    expect(() => layer!.wrap(Buffer.from('x'))).toThrow('has ended')
  })
})

describe('a login over HTTP', () => {
  test('takes a token once', async () => {
    const token = await alice.negotiate(WEB)
    const negotiated = await service.negotiate(token)
    expect(negotiated.principal).toBe('alice@TIDEGATE.TEST')
    expect(negotiated.token!.length).toBeGreaterThan(0)
    await expect(service.negotiate(token)).rejects.toThrow('replay')
  })

  test('refuses other tokens', async () => {
    for (const token of [Buffer.alloc(0), Buffer.from('junk'), Buffer.alloc(70_000, 0x60)])
      await expect(service.negotiate(token)).rejects.toBeInstanceOf(SaslFailure)
    await expect(service.negotiate(Buffer.from('NTLMSSP\0\u0001'))).rejects.toThrow('NTLM')
  })

  test('takes many logins at once, of which none is taken twice', async () => {
    const tokens = await Promise.all(Array.from({ length: 250 }, () => alice.negotiate(WEB)))
    const shown = [...tokens, ...tokens].map((token) =>
      service.negotiate(token).then(
        () => 'taken',
        () => 'refused',
      ),
    )
    const outcomes = await Promise.all(shown)
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(tokens.length)
  })
})

describe('a keytab', () => {
  test('that is missing, or has no key of the principal, is named', async () => {
    const missing = { principal: 'alice@TIDEGATE.TEST', keytab: keytab('missing') }
    await expect(kerberos.logIn(missing)).rejects.toThrow(/missing\.keytab.*no such file.*kadmin/)
    const wrong = { principal: 'bob@TIDEGATE.TEST', keytab: keytab('alice') }
    await expect(kerberos.logIn(wrong)).rejects.toThrow('bob@TIDEGATE.TEST')
    await expect(kerberos.accept({ keytab: keytab('missing') })).rejects.toThrow('missing.keytab')
    await expect(kerberos.accept({ principal: WEB, keytab: keytab('alice') })).rejects.toThrow(
      'HTTP/localhost',
    )
  })

  test('of an older key is refused', async () => {
    await kdc.addPrincipal('carol', { keytab: keytab('carol') })
    await kdc.changeKey('carol')
    const login = { principal: 'carol@TIDEGATE.TEST', keytab: keytab('carol') }
    await expect(kerberos.logIn(login)).rejects.toThrow("the keytab's key is not that of the KDC")
  })

  test('gets a fresh ticket before the last one ends', async () => {
    await kdc.addPrincipal('brief', { keytab: keytab('brief') }, { lifeSeconds: 4 })
    const login = await kerberos.logIn({ principal: 'brief@TIDEGATE.TEST', keytab: keytab('brief') })
    const begun = Date.now()
    await expect.poll(() => Date.now() - begun > 5_000 && login.secondsLeft > 0).toBe(true)
    expect(login.trouble).toBeUndefined()
    const client = login.saslClient(SERVICE, PROTECTIONS)
    expect((await client.step(Buffer.alloc(0))).token!.length).toBeGreaterThan(100)
    client.close()
    login.close()
  })

  test('is tried again once the KDC is back', async () => {
    await kdc.addPrincipal('patient', { keytab: keytab('patient') }, { lifeSeconds: 4 })
    const login = await kerberos.logIn({ principal: 'patient@TIDEGATE.TEST', keytab: keytab('patient') })
    await kdc.stop()
    await expect.poll(() => login.trouble).toContain('whether the KDC runs')
    await expect.poll(() => login.secondsLeft).toBe(0)
    // Logins of clients need no KDC.
    const other = kerberos.logIn({ principal: 'alice@TIDEGATE.TEST', keytab: keytab('alice') })
    await expect(other).rejects.toThrow('whether the KDC runs')
    await kdc.restart()
    await expect.poll(() => login.trouble).toBeUndefined()
    expect(login.secondsLeft).toBeGreaterThan(0)
    login.close()
  })
})

describe('a ticket cache', () => {
  test('is the login that another program renews', async () => {
    const cache = join(folder, 'tickets')
    await expect(kerberos.logIn({ cache: `FILE:${cache}` })).rejects.toThrow('kinit')
    await kdc.kinit(cache, 'alice', { keytab: keytab('alice') }, { lifeSeconds: 600 })
    const login = await kerberos.logIn({ cache: `FILE:${cache}` })
    expect(login.principal).toBe('alice@TIDEGATE.TEST')
    expect(login.secondsLeft).toBeGreaterThan(500)
    expect(login.secondsLeft).toBeLessThanOrEqual(600)
    login.close()
  })
})

describe('a server that has not the key is refused where it answers', () => {
  const OFFER = Buffer.from([7, 0xff, 0xff, 0xff])
  const answers: [string, (hello: Buffer) => Buffer | Promise<Buffer>][] = [
    ['with nothing', () => Buffer.alloc(0)],
    ['with other bytes', () => Buffer.from('HTTP/1.1 200 OK')],
    ["with the client's own message", (hello) => hello],
    ['with an offer and no proof', () => OFFER],
    [
      'with the proof of another login',
      async () => {
        const other = pair(['privacy'])
        const { token } = await other.client.step(Buffer.alloc(0))
        const { token: proof } = await other.server.step(token!)
        close(other)
        return proof!
      },
    ],
  ]

  test.each(answers)('%s', async (_, answer) => {
    const both = pair(['privacy'])
    const { token } = await both.client.step(Buffer.alloc(0))
    await expect(both.client.step(await answer(token!))).rejects.toThrow(
      `an answer that is not from ${SERVICE}`,
    )
    expect(both.client.layer).toBeUndefined()
    close(both)
  })

  test('with its proof, and then with an offer that is not protected', async () => {
    const both = pair(['privacy'])
    const { token } = await both.client.step(Buffer.alloc(0))
    const { token: proof } = await both.server.step(token!)
    await both.client.step(proof!)
    await expect(both.client.step(OFFER)).rejects.toThrow('a protected message is refused')
    expect(both.client.layer).toBeUndefined()
    close(both)
  })
})

test('a KDC that does not answer holds up no login of a client, and no end of Kerberos', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as { readonly port: number }
  const before = process.env['KRB5_CONFIG']
  const changed = join(folder, 'silent.conf')
  writeFileSync(changed, readFileSync(kdc.configuration, 'utf8').replaceAll(`:${kdc.port}`, `:${port}`))
  const token = await alice.negotiate(WEB)
  process.env['KRB5_CONFIG'] = changed
  const own = openKerberos()
  try {
    const login = own.logIn({ principal: 'alice@TIDEGATE.TEST', keytab: keytab('alice') })
    const outcome = expect(login).rejects.toBeInstanceOf(KerberosError)
    const taken = await own.accept({ keytab: keytab('service') })
    expect((await taken.negotiate(token)).principal).toBe('alice@TIDEGATE.TEST')
    await own.close()
    await outcome
  } finally {
    process.env['KRB5_CONFIG'] = before
    silent.close()
  }
})
