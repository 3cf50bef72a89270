import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Certificates } from '../../../../src/gateway/identity/tls/certificates.ts'
import { startTidegate } from '../../../../src/library/start-tidegate.ts'
import { Authority, type Issued, PemFolder } from '../../../harness/certificates.ts'

let folder: PemFolder
let authority: Authority

beforeEach(async () => {
  folder = new PemFolder()
  authority = await Authority.make()
})
afterEach(() => folder.remove())

/** Whether ZooKeeper's door answers. `servername`: it then has a context of its own. */
async function isLetIn(port: number, { certificate, key }: Issued, servername: string): Promise<boolean> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername,
    cert: certificate,
    key,
    rejectUnauthorized: false,
  })
  socket.on('error', () => undefined)
  socket.on('secureConnect', () => socket.write('ruok'))
  const closed = once(socket, 'close').then(() => false)
  const answered = new Promise<boolean>((resolve) => {
    socket.once('data', (bytes: Buffer) => resolve(bytes.toString() === 'imok'))
  })
  const outcome = await Promise.race([answered, closed])
  socket.destroy()
  return outcome
}

test.each(['required', 'optional'] as const)(
  'a revoked certificate of a client is refused from the next connection on (%s)',
  async (tlsClientCertificates) => {
    const own = folder.write('own', await authority.issue({ name: 'localhost', hosts: ['localhost'] }))
    const [alice, bob] = [await authority.issue({ name: 'alice' }), await authority.issue({ name: 'bob' })]
    const list = folder.file('crl', await authority.revocations())
    const server = await startTidegate({
      rest: 'off',
      thrift: 'off',
      rpc: 'off',
      zookeeper: 0,
      tlsCertificate: own.certificate,
      tlsKey: own.key,
      tlsClientCa: folder.file('ca', authority.certificate),
      tlsClientCrl: list,
      tlsClientCertificates,
    })
    const port = server.ports.zookeeper!
    expect([await isLetIn(port, alice, 'localhost'), await isLetIn(port, bob, 'localhost')]).toEqual([
      true,
      true,
    ])
    writeFileSync(list, await authority.revocations(alice))
    while (await isLetIn(port, alice, 'localhost'));
    expect(await isLetIn(port, alice, 'another.example')).toBe(false)
    expect(await isLetIn(port, bob, 'localhost')).toBe(true)
    await server.stop()
  },
)

test('a file that is no list is refused at the start, and later changes nothing', async () => {
  const pairs = [folder.write('own', await authority.issue({ name: 'localhost' }))]
  const list = folder.file('crl', await authority.revocations())
  const settings = {
    pairs,
    clientAuthorities: [folder.file('ca', authority.certificate)],
    clientRevocations: [list],
    areClientCertificatesOptional: false,
    plainToo: new Set<string>(),
  }
  const certificates = new Certificates(settings, pino({ level: 'silent' }), 3_600_000)
  const { options } = certificates
  for (const wrong of ['nonsense', '-----BEGIN X509 CRL-----\nnonsense\n-----END X509 CRL-----\n']) {
    writeFileSync(list, wrong)
    certificates.reload()
    expect(certificates.options).toBe(options)
    expect(certificates.troubles.join()).toMatch(
      /the certificates stay as they were: .*crl holds no list of revoked/,
    )
    expect(() => new Certificates(settings, pino({ level: 'silent' }))).toThrow(/holds no list of revoked/)
  }
  certificates.close()
})
