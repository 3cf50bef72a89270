import { describe, expect, test } from 'vitest'
import { clusterOptions, parseClusterStore } from '../../../src/cli/settings/cluster-options.ts'
import { type ClusterTlsOptions, clusterTls } from '../../../src/cli/settings/cluster-tls-options.ts'

function read(keys: Readonly<Record<string, string>>): ClusterTlsOptions | undefined {
  return clusterTls(new Map(Object.entries({ 'hbase.client.netty.tls.enabled': 'true', ...keys })))
}

describe('keys of TLS to a cluster', () => {
  test('without the switch there is no TLS', () => {
    expect(clusterTls(new Map([['hbase.rpc.tls.truststore.location', '/t']]))).toBeUndefined()
    expect(read({ 'hbase.client.netty.tls.enabled': 'false' })).toBeUndefined()
  })

  test('HBase has these defaults', () => {
    expect(read({ 'hbase.client.netty.tls.verify.server.hostname': '' })).toEqual({
      truststore: undefined,
      keystore: undefined,
      checksHost: true,
      handshakeTimeoutMs: 5000,
      minVersion: undefined,
      maxVersion: undefined,
      ciphers: undefined,
    })
  })

  test('each key has its effect', () => {
    expect(
      read({
        'hbase.client.netty.tls.verify.server.hostname': 'false',
        'hbase.client.netty.tls.handshaketimeout': '700',
        'hbase.rpc.tls.truststore.location': '/t',
        'hbase.rpc.tls.truststore.type': 'jks',
        'hbase.rpc.tls.truststore.password': 'one',
        'hbase.rpc.tls.keystore.location': '/k',
        'hbase.rpc.tls.keystore.type': 'PKCS12',
        'hbase.rpc.tls.keystore.password': 'two',
        'hbase.rpc.tls.enabledProtocols': 'TLSv1.3, TLSv1.2',
        'hbase.rpc.tls.protocol': 'TLSv1.1',
        'hbase.rpc.tls.ciphersuites': 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_AES_128_GCM_SHA256',
      }),
    ).toEqual({
      truststore: {
        key: 'hbase.rpc.tls.truststore.location',
        path: '/t',
        passwordKey: 'hbase.rpc.tls.truststore.password',
        password: 'one',
      },
      keystore: {
        key: 'hbase.rpc.tls.keystore.location',
        path: '/k',
        passwordKey: 'hbase.rpc.tls.keystore.password',
        password: 'two',
      },
      checksHost: false,
      handshakeTimeoutMs: 700,
      minVersion: 'TLSv1.2',
      maxVersion: 'TLSv1.3',
      ciphers: 'ECDHE-RSA-AES128-GCM-SHA256:TLS_AES_128_GCM_SHA256',
    })
    expect(read({ 'hbase.rpc.tls.protocol': 'TLSv1.2' })).toMatchObject({
      minVersion: 'TLSv1.2',
      maxVersion: 'TLSv1.2',
    })
  })

  test.each([
    ['hbase.rpc.tls.enabledProtocols', 'SSLv3', /"SSLv3" is none of TLSv1/],
    ['hbase.rpc.tls.ciphersuites', 'TLS_AES_128_GCM_SHA256,NONE_SUCH', /"NONE_SUCH" is no cipher suite/],
    ['hbase.client.netty.tls.handshaketimeout', '0', /not a whole number/],
    ['hbase.client.netty.tls.verify.server.hostname', 'maybe', /true or false/],
    ['hbase.rpc.tls.ocsp', 'true', /-D hbase.rpc.tls.ocsp=false/],
    ['hbase.rpc.tls.clr', 'true', /-D hbase.rpc.tls.clr=false/],
  ])('%s %s is refused', (key, value, message) => {
    expect(() => read({ [key]: value })).toThrow(message)
    expect(() => read({ [key]: value })).toThrow(expect.objectContaining({ key }))
  })

  test.each([
    // HBase's defaults: X509Util.getGCMCiphers and getCBCCiphers.
    ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
    ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
    ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256', 'ECDHE-ECDSA-AES128-SHA256'],
    ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'],
    ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384', 'ECDHE-ECDSA-AES256-SHA384'],
    ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
    ['TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'DHE-RSA-CHACHA20-POLY1305'],
    ['TLS_CHACHA20_POLY1305_SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
  ])("Java's %s is OpenSSL's %s", (name, ciphers) => {
    expect(read({ 'hbase.rpc.tls.ciphersuites': name })?.ciphers).toBe(ciphers)
  })

  test('a type that Tidegate does not read is refused, with the conversion', () => {
    const location = { 'hbase.rpc.tls.keystore.location': '/k.bcfks' }
    expect(() => read(location)).toThrow(/keytool -importkeystore -deststoretype PKCS12/)
    expect(() => read({ ...location, 'hbase.rpc.tls.keystore.type': 'BCFKS' })).toThrow(/not BCFKS: convert/)
    expect(() => read({ ...location, 'hbase.rpc.tls.keystore.type': 'DKS' })).toThrow(/not DKS/)
  })

  test("the key of Hadoop's store of passwords is kept for the message on a file that needs one", () => {
    const keys = {
      'hbase.rpc.tls.keystore.location': '/k',
      'hbase.rpc.tls.truststore.location': '/t',
      'hadoop.security.credential.provider.path': 'localjceks://file/secrets.jceks',
    }
    const passwordStoreKey = 'hadoop.security.credential.provider.path'
    expect(read(keys)).toMatchObject({ keystore: { passwordStoreKey }, truststore: { passwordStoreKey } })
    const empty = read({ ...keys, [passwordStoreKey]: '' })
    expect(empty?.keystore?.passwordStoreKey).toBeUndefined()
  })

  test('the settings of a store have them', () => {
    const properties = new Map([['hbase.client.netty.tls.enabled', 'true']])
    expect(clusterOptions(parseClusterStore('hbase:h:1'), properties).tls).toMatchObject({ checksHost: true })
    expect(clusterOptions(parseClusterStore('hbase:h:1'), new Map()).tls).toBeUndefined()
  })
})
