/** Revocation lists that have expired or are missing are reported before clients complain. */

import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { certificateMetrics } from '../../../../src/gateway/identity/tls/certificate-metrics.ts'
import { Certificates } from '../../../../src/gateway/identity/tls/certificates.ts'
import { distinguishedName } from '../../../../src/gateway/identity/tls/distinguished-name.ts'
import { readRevocationList } from '../../../../src/gateway/identity/tls/revocation-list.ts'
import { startTidegate } from '../../../../src/library/start-tidegate.ts'
import { readMetrics } from '../../../../src/model/metric.ts'
import { Authority, PemFolder } from '../../../harness/certificates.ts'

const DAY_MS = 86_400_000

let folder: PemFolder
let north: Authority
let south: Authority
let certificates: Certificates | undefined
let lines: string[]

beforeEach(async () => {
  folder = new PemFolder()
  north = await Authority.make('North CA')
  south = await Authority.make('South CA')
  lines = []
})
afterEach(() => {
  certificates?.close()
  folder.remove()
})

async function open(...lists: readonly string[]): Promise<Certificates> {
  const logger = pino({ level: 'warn' }, { write: (text) => void lines.push(text) })
  const settings = {
    pairs: [folder.write('own', await north.issue({ name: 'localhost' }))],
    clientAuthorities: [folder.file('ca.pem', `${north.certificate}\n${south.certificate}\n`)],
    clientRevocations: lists.map((list, index) => folder.file(`crl-${index}.pem`, list)),
    areClientCertificatesOptional: false,
    plainToo: new Set<string>(),
  }
  certificates = new Certificates(settings, logger, 3_600_000)
  return certificates
}

test('a list that has expired is reported at the start, at each reading, in the troubles and by its metric', async () => {
  const { troubles } = await open(await north.revocationList([], -2), await south.revocationList([], 3))
  expect(troubles).toEqual([
    expect.stringMatching(
      /^the list of revoked certificates in \S+crl-0.pem has expired on 20\S+Z: every client with a certificate of CN=North CA is refused$/,
    ),
  ])
  certificates!.reload()
  expect(lines.filter((line) => line.includes(troubles[0]!))).toHaveLength(2)
  const days = readMetrics(certificateMetrics(certificates)).find(({ name }) =>
    name.includes('list'),
  )!.samples
  expect(days.map(({ labels }) => labels?.['issuer'])).toEqual(['CN=North CA', 'CN=South CA'])
  expect(days[0]!.value).toBeCloseTo(-2, 2)
  expect(days[1]!.value).toBeCloseTo(3, 2)
})

test('an authority without a list is reported; a newer list beside an expired one is enough', async () => {
  const { troubles } = await open(await south.revocationList([], -1), await south.revocationList([], 1))
  expect(troubles).toEqual([
    expect.stringMatching(/^--tls-client-crl has no list of revoked certificates of CN=North CA \(/),
  ])
})

test('without any list, and with all of them in one file, nothing is reported', async () => {
  expect((await open()).troubles).toEqual([])
  certificates!.close()
  const both = `${await north.revocations()}\n${await south.revocations()}\n`
  expect((await open(both)).troubles).toEqual([])
  expect(lines).toEqual([])
})

test('the health of a server tells it, too', async () => {
  const own = folder.write('own', await north.issue({ name: 'localhost' }))
  const server = await startTidegate({
    rest: 'off',
    thrift: 'off',
    rpc: 'off',
    zookeeper: 'off',
    web: 0,
    tlsPlainToo: 'web',
    tlsCertificate: own.certificate,
    tlsKey: own.key,
    tlsClientCa: folder.file('ca', north.certificate),
    tlsClientCrl: folder.file('crl', await north.revocationList([], -1)),
  })
  const answer = await fetch(`http://127.0.0.1:${server.ports.web}/health`)
  expect(await answer.json()).toMatchObject({ status: 'degraded' })
  await server.stop()
})

test('the issuer and the end of a list are read', async () => {
  const { issuer, startMs, endMs } = readRevocationList(await north.revocations())
  expect(issuer.text).toBe('CN=North CA')
  expect(endMs! - startMs).toBeCloseTo(11 * DAY_MS, -4)
})

function wrap(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(tag, content.length), content])
}

/** A name of one common name. */
function name(tag: number, text: Buffer): Buffer {
  const type = Buffer.from('0603550403', 'hex')
  return wrap(0x30, wrap(0x31, wrap(0x30, Buffer.concat([type, wrap(tag, text)]))))
}

test('names are the same with other kinds of strings, case and spaces', () => {
  const utf8 = distinguishedName(name(0x0c, Buffer.from('My  CA')))
  const bmp = distinguishedName(name(0x1e, Buffer.from('my ca', 'utf16le').swap16()))
  expect(utf8.key).toBe(bmp.key)
  expect(utf8.text).toBe('CN=My  CA')
})

test('bytes that are no list are a RangeError, and nothing else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const block = Buffer.from([0x30, bytes.length, ...bytes]).toString('base64')
      try {
        readRevocationList(block)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
  )
})
