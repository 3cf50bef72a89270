import { writeFileSync } from 'node:fs'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ClusterTlsOptions, clusterTls } from '../../../../src/cli/settings/cluster-tls-options.ts'
import { ClusterTrust } from '../../../../src/cli/stores/key-stores/cluster-trust.ts'
import { Authority, PemFolder } from '../../../harness/certificates.ts'

let folder: PemFolder
let authority: Authority
let logged: { readonly level: number; readonly msg: string }[]

const logger = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) })

beforeEach(async () => {
  folder = new PemFolder()
  authority = await Authority.make()
  logged = []
})

afterEach(() => folder.remove())

function options(truststore: string, keystore?: string): ClusterTlsOptions {
  return clusterTls(
    new Map([
      ['hbase.client.netty.tls.enabled', 'true'],
      ['hbase.rpc.tls.truststore.location', truststore],
      ...(keystore === undefined ? [] : ([['hbase.rpc.tls.keystore.location', keystore]] as const)),
    ]),
  )!
}

describe('trust in the servers of a cluster', () => {
  test('a changed file is read again; one that cannot be used changes nothing', async () => {
    const file = folder.file('ca.pem', authority.certificate)
    const trust = new ClusterTrust(options(file), logger)
    expect(trust.authorities?.trim()).toBe(authority.certificate.trim())

    writeFileSync(file, 'half of a file')
    expect(trust.authorities?.trim()).toBe(authority.certificate.trim())
    expect(trust.authorities).toBeDefined()
    expect(logged).toEqual([
      expect.objectContaining({
        level: 50,
        msg: expect.stringContaining('hbase.rpc.tls.truststore.location: '),
      }),
    ])

    const next = await Authority.make('Next')
    writeFileSync(file, next.certificate)
    expect(trust.authorities?.trim()).toBe(next.certificate.trim())
    expect(logged.at(-1)).toMatchObject({ level: 30 })
  })

  test('a key with its certificate is shown; either alone is refused', async () => {
    const ca = folder.file('ca.pem', authority.certificate)
    const issued = await authority.issue({ name: 'tidegate' })
    const whole = folder.file('whole.pem', `${issued.certificate}\n${issued.key}`)
    expect(new ClusterTrust(options(ca, whole), logger).identity?.key.trim()).toBe(issued.key.trim())

    const { certificate, key } = folder.write('parts', issued)
    expect(() => new ClusterTrust(options(ca, certificate), logger)).toThrow(/no private key/)
    expect(() => new ClusterTrust(options(ca, key), logger)).toThrow(/no private key/)
    expect(() => new ClusterTrust(options(key), logger)).toThrow(/no certificate of an authority/)
  })
})
