import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { advertisedNameWarning } from '../../../src/cli/serve/advertised-certificate.ts'
import { Certificates } from '../../../src/gateway/identity/tls/certificates.ts'
import { Authority, PemFolder } from '../../harness/certificates.ts'

let folder: PemFolder
let certificates: Certificates
beforeEach(async () => {
  folder = new PemFolder()
  const issued = await (await Authority.make()).issue({ name: 'own', hosts: ['db.example', '192.0.2.1'] })
  const settings = {
    pairs: [folder.write('own', issued)],
    clientAuthorities: [],
    clientRevocations: [],
    areClientCertificatesOptional: false,
    plainToo: new Set<string>(),
  }
  certificates = new Certificates(settings, pino({ level: 'silent' }), 3_600_000)
})
afterEach(() => {
  certificates.close()
  folder.remove()
})

const EVERYWHERE = { host: '0.0.0.0', advertise: undefined, ports: { rpc: 16020 } }

test('a name that clients are sent to, and no certificate is for, is told', () => {
  const advertise = { host: 'other.example', port: undefined }
  for (const settings of [EVERYWHERE, { ...EVERYWHERE, host: '127.0.0.1', advertise }])
    expect(advertisedNameWarning(settings, 'other.example', certificates)).toMatch(
      /are sent to other.example, and no --tls-certificate is for that name/,
    )
})

test('a name or an address of the certificate is not, nor is anything without TLS or native RPC', () => {
  for (const host of ['db.example', '192.0.2.1'])
    expect(advertisedNameWarning(EVERYWHERE, host, certificates)).toBeUndefined()
  expect(advertisedNameWarning(EVERYWHERE, 'other.example', undefined)).toBeUndefined()
  const off = { ...EVERYWHERE, ports: { rpc: 'off' as const } }
  expect(advertisedNameWarning(off, 'other.example', certificates)).toBeUndefined()
  const loopback = { ...EVERYWHERE, host: '127.0.0.1' }
  expect(advertisedNameWarning(loopback, '127.0.0.1', certificates)).toBeUndefined()
})
