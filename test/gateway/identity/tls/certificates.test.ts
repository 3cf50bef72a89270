import { once } from 'node:events'
import { copyFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { connect, type TLSSocket } from 'node:tls'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Certificates } from '../../../../src/gateway/identity/tls/certificates.ts'
import type { TlsSettings } from '../../../../src/gateway/identity/tls/tls-settings.ts'
import { startTidegate } from '../../../../src/library/start-tidegate.ts'
import { Authority, PemFolder } from '../../../harness/certificates.ts'

let folder: PemFolder
let authority: Authority

beforeEach(async () => {
  folder = new PemFolder()
  authority = await Authority.make()
})

afterEach(() => folder.remove())

async function written(name: string, days = 1): Promise<TlsSettings['pairs'][number]> {
  return folder.write(name, await authority.issue({ name, days }))
}

function settingsOf(...pairs: TlsSettings['pairs'][number][]): TlsSettings {
  return {
    pairs,
    clientAuthorities: [],
    clientRevocations: [],
    areClientCertificatesOptional: false,
    plainToo: new Set(),
  }
}

function opened(settings: TlsSettings): { readonly certificates: Certificates; readonly lines: string[] } {
  const lines: string[] = []
  const logger = pino({}, { write: (line: string) => lines.push(line) })
  // The timer is not what these tests are about.
  return { certificates: new Certificates(settings, logger, 3_600_000), lines }
}

function refusal(settings: TlsSettings): string {
  try {
    opened(settings).certificates.close()
  } catch (error) {
    return (error as Error).message.replaceAll(folder.path, '')
  }
  return 'nothing'
}

describe('files that cannot be used are named, with the reason', () => {
  test('missing, empty, of another kind, or of another pair', async () => {
    const [one, two] = await Promise.all([written('one'), written('two')])
    const text = folder.file('text', 'no PEM at all')
    const missing = `${folder.path}/missing`
    expect(refusal(settingsOf(one))).toBe('nothing')
    expect(refusal(settingsOf({ ...one, certificate: missing }))).toMatch(
      /^\/missing cannot be read \(ENOENT/,
    )
    expect(refusal(settingsOf({ ...one, key: missing }))).toMatch(/^\/missing cannot be read \(ENOENT/)
    expect(refusal(settingsOf({ ...one, certificate: text }))).toMatch(/^\/text holds no certificate in PEM/)
    expect(refusal(settingsOf({ ...one, key: text }))).toMatch(/^\/text holds no private key in PEM/)
    expect(refusal(settingsOf({ ...one, certificate: one.key }))).toMatch(/holds no certificate/)
    expect(refusal(settingsOf({ ...one, key: two.key }))).toBe(
      '/two.key is not the key of the certificate in /one.crt',
    )
    expect(refusal(settingsOf(one, { ...two, key: one.key }))).toMatch(/^\/one.key is not the key/)
    expect(refusal({ ...settingsOf(one), clientAuthorities: [text] })).toMatch(/^\/text holds no certificate/)
  })

  test('a certificate that has expired serves, with a warning', async () => {
    const { certificates, lines } = opened(settingsOf(await written('old', -1)))
    certificates.close()
    expect(lines.join()).toMatch(/the certificate \S+ has expired on/)
  })
})

describe('files that change are read again', () => {
  test('a new pair, also where only a link points to another one', async () => {
    const [one, two] = await Promise.all([written('one'), written('two')])
    const links = { certificate: `${folder.path}/crt`, key: `${folder.path}/key` }
    const pointTo = (pair: TlsSettings['pairs'][number]): void => {
      for (const [kind, link] of Object.entries(links)) {
        rmSync(link, { force: true })
        symlinkSync(pair[kind as 'certificate' | 'key'], link)
      }
    }
    pointTo(one)
    const { certificates, lines } = opened(settingsOf(links))
    const changes: unknown[] = []
    certificates.onChange(({ cert }) => changes.push(cert))
    certificates.look()
    expect(changes).toHaveLength(0)
    pointTo(two)
    certificates.look()
    certificates.look()
    expect(changes).toEqual([certificates.options.cert])
    expect(lines.join()).toContain('CN=two')
    certificates.close()
  })

  test('half a pair, nonsense and nothing leave the old one, until a whole one is there', async () => {
    const [one, two] = await Promise.all([written('one'), written('two')])
    const { certificates, lines } = opened(settingsOf(one))
    const before = certificates.options
    copyFileSync(two.certificate, one.certificate)
    certificates.look()
    certificates.look()
    expect(certificates.options).toBe(before)
    expect(lines.filter((line) => line.includes('the certificates stay as they were'))).toHaveLength(1)
    unlinkSync(one.key)
    certificates.look()
    expect(certificates.options).toBe(before)
    copyFileSync(two.key, one.key)
    certificates.look()
    expect(certificates.options).not.toBe(before)
    certificates.close()
  })

  test('on a running server: new connections get the new one, and the old ones live on', async () => {
    const one = await written('one')
    const server = await startTidegate({
      zookeeper: 0,
      tlsCertificate: one.certificate,
      tlsKey: one.key,
    })
    const before = await connected(server.ports.zookeeper!)
    const renewed = await authority.issue({ name: 'renewed' })
    folder.write('one', renewed)
    for (let name = ''; name !== 'CN=renewed'; ) {
      const socket = await connected(server.ports.zookeeper!)
      name = socket.getPeerX509Certificate()!.subject
      socket.destroy()
    }
    before.write('ruok')
    const [answer] = (await once(before, 'data')) as [Buffer]
    expect(answer.toString()).toBe('imok')
    await server.stop()
  })
})

async function connected(port: number): Promise<TLSSocket> {
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca: authority.certificate,
    checkServerIdentity: () => undefined,
  })
  await once(socket, 'secureConnect')
  return socket
}
