import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ClusterKerberosSpec } from '../../../src/cli/settings/kerberos-cluster-options.ts'
import type { KerberosDoorSettings } from '../../../src/gateway/identity/kerberos/kerberos-door-settings.ts'
import { parsedSettings } from '../parsed-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidegate-kerberos-options-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Keys = Readonly<Record<string, string>>

/** The arguments with a file of `--config` that states the keys. */
function withKeys(keys: Keys, ...args: string[]): string[] {
  const path = join(folder, 'hbase-site.xml')
  const properties = Object.entries(keys).map(
    ([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`,
  )
  writeFileSync(path, `<configuration>${properties.join('')}</configuration>`)
  return ['--config', path, ...args]
}

const CLUSTER = ['--store', 'hbase:zk.example:2181']

function clusterOf(keys: Keys, ...args: string[]): ClusterKerberosSpec | undefined {
  const { store } = parsedSettings(...withKeys(keys, ...CLUSTER, ...args))
  return store.kind === 'hbase' ? store.kerberos : undefined
}

function doorsOf(keys: Keys, ...args: string[]): KerberosDoorSettings | undefined {
  return parsedSettings(...withKeys(keys, ...args)).guard?.kerberos
}

const REST_KEYS = {
  'hbase.rest.kerberos.principal': 'rest/_HOST@R',
  'hbase.rest.keytab.file': '/rest.keytab',
}
const THRIFT_KEYS = {
  'hbase.thrift.kerberos.principal': 'thrift/_HOST@R',
  'hbase.thrift.keytab.file': '/thrift.keytab',
}
const KERBEROS = { 'hbase.security.authentication': 'Kerberos' }

describe('the login to a cluster', () => {
  test('is none without a setting', () => {
    expect(clusterOf({})).toBeUndefined()
    expect(clusterOf({ 'hbase.security.authentication': 'simple', ...REST_KEYS })).toBeUndefined()
    expect(clusterOf(REST_KEYS)).toBeUndefined()
    expect(clusterOf(KERBEROS, '--cluster-authentication', 'simple')).toBeUndefined()
  })

  test.each([
    [{}, ['--kerberos-principal', 'a@R', '--kerberos-keytab', '/k'], { principal: 'a@R', keytab: '/k' }],
    [{}, ['--kerberos-cache', 'FILE:/c'], { cache: 'FILE:/c' }],
    [{}, ['--kerberos-principal', 'a@R'], { principal: 'a@R' }],
    [{}, ['--cluster-authentication', 'kerberos'], {}],
    [KERBEROS, [], {}],
    [{ ...KERBEROS, ...REST_KEYS }, [], { principal: 'rest/_HOST@R', keytab: '/rest.keytab' }],
    [{ ...KERBEROS, ...THRIFT_KEYS }, [], { principal: 'thrift/_HOST@R', keytab: '/thrift.keytab' }],
    [{ ...KERBEROS, ...THRIFT_KEYS }, ['--kerberos-cache', 'FILE:/c'], { cache: 'FILE:/c' }],
    [
      {
        ...KERBEROS,
        ...REST_KEYS,
        'hbase.thrift.kerberos.principal': 'rest/_HOST@R',
        'hbase.thrift.keytab.file': '/rest.keytab',
      },
      [],
      { principal: 'rest/_HOST@R', keytab: '/rest.keytab' },
    ],
    [{ ...KERBEROS, 'hbase.rest.kerberos.principal': 'rest/_HOST@R' }, [], {}],
  ])('%j %j', (keys, args, login) => {
    expect(clusterOf(keys, ...args)?.login).toEqual(login)
  })

  test('has the cluster’s principals and HBase’s defaults', () => {
    expect(clusterOf(KERBEROS)).toEqual({
      login: {},
      masterPrincipal: undefined,
      regionServerPrincipal: undefined,
      protections: ['authentication'],
      mayFallBack: false,
      asksForAes: false,
      usesAddressNames: true,
    })
    const keys = {
      ...KERBEROS,
      'hbase.master.kerberos.principal': 'm/_HOST@R',
      'hbase.regionserver.kerberos.principal': 'r/_HOST@R',
      'hbase.rpc.protection': 'Privacy, integrity',
      'hbase.ipc.client.fallback-to-simple-auth-allowed': 'true',
      'hbase.rpc.crypto.encryption.aes.enabled': 'true',
      'hbase.unsafe.client.kerberos.hostname.disable.reversedns': 'true',
    }
    expect(clusterOf(keys)).toMatchObject({
      masterPrincipal: 'm/_HOST@R',
      regionServerPrincipal: 'r/_HOST@R',
      protections: ['privacy', 'integrity'],
      mayFallBack: true,
      asksForAes: true,
      usesAddressNames: false,
    })
  })

  test('may be stated by -D', () => {
    const stated = ['-D', 'hbase.security.authentication=kerberos', '-D', 'hbase.rpc.protection=privacy']
    expect(clusterOf({}, ...stated)?.protections).toEqual(['privacy'])
    expect(parsedSettings(...CLUSTER, ...stated).unread).toEqual({ defined: [], ofFile: [] })
  })

  test.each([
    [{}, ['--kerberos-keytab', '/k'], '--kerberos-keytab needs --kerberos-principal'],
    [
      {},
      ['--kerberos-principal', 'a@R', '--kerberos-keytab', '/k', '--kerberos-cache', 'c'],
      '--kerberos-keytab and --kerberos-cache do not go together',
    ],
    [
      {},
      ['--cluster-authentication', 'simple', '--kerberos-cache', 'c'],
      '--kerberos-cache and --cluster-authentication simple do not go together',
    ],
    [{}, ['--kerberos-principal', '@R'], '"@R" is no principal'],
    [{ ...KERBEROS, ...REST_KEYS, ...THRIFT_KEYS }, [], 'name two logins to the cluster'],
    [{ ...KERBEROS, 'hbase.rest.keytab.file': '/k' }, [], 'needs hbase.rest.kerberos.principal'],
    [{ 'hbase.security.authentication': 'ldap' }, [], 'It must be simple or kerberos'],
    [
      { ...KERBEROS, 'hbase.rpc.protection': 'none' },
      [],
      '"none" is none of authentication, integrity, privacy',
    ],
    [
      { ...KERBEROS, 'hbase.master.kerberos.principal': 'a@b@c' },
      [],
      'hbase.master.kerberos.principal: "a@b@c" is no',
    ],
  ])('%j %j is refused', (keys, args, message) => {
    expect(() => clusterOf(keys, ...args)).toThrow(message)
  })

  test.each([
    [['--kerberos-principal', 'a@R']],
    [['--kerberos-keytab', '/k']],
    [['--kerberos-cache', 'c']],
    [['--cluster-authentication', 'kerberos']],
  ])('%j is refused in front of the embedded engine', (args) => {
    expect(() => parsedSettings(...args)).toThrow(`${args[0]} is for a cluster: the store is native`)
  })
})

const KEYTAB = ['--kerberos-service-keytab', '/s']

describe('logins at the doors', () => {
  test('are none without a setting', () => {
    expect(parsedSettings().guard).toBeUndefined()
    expect(doorsOf({ ...REST_KEYS, ...THRIFT_KEYS })).toBeUndefined()
  })

  test('by one keytab are taken at every door', () => {
    const any = { keytab: '/s' }
    expect(doorsOf({}, ...KEYTAB)).toEqual({
      services: { rest: any, 'thrift-http': any, web: any, timeline: any, thrift: any, rpc: any },
      protections: {
        thrift: ['privacy', 'integrity', 'authentication'],
        rpc: ['privacy', 'integrity', 'authentication'],
      },
      takesAes: false,
      rules: 'DEFAULT',
      restRules: undefined,
      mechanism: 'hadoop',
      cookie: { secretFile: undefined, validitySeconds: 36_000, domain: undefined, path: undefined },
    })
    expect(doorsOf({}, ...KEYTAB, ...CLUSTER)?.services).toHaveProperty('rpc', any)
  })

  test('by principals are taken where a principal is for the door’s kind', () => {
    const both = doorsOf({}, ...KEYTAB, '--kerberos-service-principal', 'HTTP/_HOST@R, hbase/_HOST@R')
    const http = { principal: 'HTTP/_HOST@R', keytab: '/s' }
    const sasl = { principal: 'hbase/_HOST@R', keytab: '/s' }
    expect(both?.services).toEqual({
      rest: http,
      'thrift-http': http,
      web: http,
      timeline: http,
      thrift: sasl,
      rpc: sasl,
    })
    const one = doorsOf({}, ...KEYTAB, '--kerberos-service-principal', 'hbase/_HOST@R')
    expect(one?.services).toEqual({ thrift: sasl, rpc: sasl })
  })

  test('by HBase’s keys are taken door by door', () => {
    const keys = {
      'hbase.rest.authentication.type': 'kerberos',
      'hbase.rest.authentication.kerberos.principal': 'HTTP/_HOST@R',
      'hbase.rest.authentication.kerberos.keytab': '/rest',
      'hbase.rest.authentication.kerberos.name.rules': 'RULE:[1:$1] DEFAULT',
      'hbase.rest.authentication.signature.secret.file': '/secret',
      'hbase.rest.authentication.token.validity': '60',
      'hbase.rest.authentication.cookie.domain': 'example',
      'hbase.rest.authentication.cookie.path': '/x',
      'hbase.thrift.spnego.principal': '*',
      'hbase.thrift.spnego.keytab.file': '/spnego',
      ...THRIFT_KEYS,
      'hbase.thrift.security.qop': 'auth-int',
      ...KERBEROS,
      'hbase.regionserver.kerberos.principal': 'hbase/_HOST@R',
      'hbase.regionserver.keytab.file': '/server',
      'hbase.rpc.protection': 'integrity',
      'hbase.rpc.crypto.encryption.aes.enabled': 'true',
      'hadoop.security.auth_to_local': 'RULE:[2:$1] DEFAULT',
      'hadoop.security.auth_to_local.mechanism': 'MIT',
    }
    const rest = { principal: 'HTTP/_HOST@R', keytab: '/rest' }
    expect(doorsOf(keys)).toEqual({
      services: {
        rest,
        web: rest,
        timeline: rest,
        'thrift-http': { keytab: '/spnego' },
        thrift: { principal: 'thrift/_HOST@R', keytab: '/thrift.keytab' },
        rpc: { principal: 'hbase/_HOST@R', keytab: '/server' },
      },
      protections: { thrift: ['integrity'], rpc: ['integrity'] },
      takesAes: true,
      rules: 'RULE:[2:$1] DEFAULT',
      restRules: 'RULE:[1:$1] DEFAULT',
      mechanism: 'mit',
      cookie: { secretFile: '/secret', validitySeconds: 60, domain: 'example', path: '/x' },
    })
    const { unread, idle } = parsedSettings(...withKeys(keys))
    expect(unread.ofFile).toEqual([])
    expect(idle).toEqual(['hbase.thrift.security.qop = auth-int is an old name: write integrity'])
    // In front of a cluster its servers' keytab is not Tidegate's.
    expect(
      doorsOf({ ...keys, ...REST_KEYS }, ...CLUSTER, '--kerberos-cache', 'c')?.services,
    ).not.toHaveProperty('rpc')
  })

  test('at REST may be switched off by its key', () => {
    const services = doorsOf({ 'hbase.rest.authentication.type': 'simple' }, ...KEYTAB)?.services
    expect(services).not.toHaveProperty('rest')
    expect(services).toHaveProperty('web')
  })

  test('over HTTP are not taken by Thrift that promises privacy, without TLS', () => {
    const keys = { 'hbase.thrift.security.qop': 'privacy' }
    const tls = ['--tls-certificate', 'a.crt', '--tls-key', 'a.key']
    expect(doorsOf(keys, ...KEYTAB)?.services).not.toHaveProperty('thrift-http')
    expect(doorsOf(keys, ...KEYTAB, ...tls)?.services).toHaveProperty('thrift-http')
  })

  test.each([
    { 'hbase.regionserver.thrift.framed': 'false' },
    { 'hbase.regionserver.thrift.server.type': 'threadpool' },
    { 'hbase.regionserver.thrift.framed': 'true', 'hbase.regionserver.thrift.http': 'true' },
  ])('of sockets of Thrift go with %j', (keys) => {
    const both = { 'hbase.thrift.security.qop': 'integrity', ...keys }
    expect(doorsOf(both, ...KEYTAB)?.services).toHaveProperty('thrift')
    expect(parsedSettings(...withKeys(both, ...KEYTAB)).unread.ofFile).toEqual([])
  })

  test('are logins: an address that others reach may be bound', () => {
    expect(parsedSettings('--host', '0.0.0.0', ...KEYTAB).open).toHaveLength(1)
  })

  test.each([
    [{}, ['--kerberos-service-principal', 'HTTP/a@R'], 'needs --kerberos-service-keytab'],
    [{}, [...KEYTAB, '--kerberos-service-principal', 'HTTP/a@R,HTTP/b@R'], 'names 2 principals for HTTP'],
    [{}, [...KEYTAB, '--kerberos-service-principal', 'x@R,y@R'], 'names 2 principals for SASL'],
    [{}, [...KEYTAB, '--kerberos-rules', 'RULE'], '"RULE" is no rule'],
    [{ 'hadoop.security.auth_to_local': 'RULE:[1:$1]([)' }, [], 'hadoop.security.auth_to_local ='],
    [
      { 'hbase.rest.authentication.kerberos.name.rules': 'x' },
      KEYTAB,
      'hbase-site.xml: hbase.rest.authentication.kerberos.name.rules: "x" is no rule',
    ],
    [
      { 'hbase.rest.authentication.type': 'kerberos' },
      [],
      'give hbase.rest.authentication.kerberos.keytab, or --kerberos-service-keytab',
    ],
    [{ 'hbase.rest.authentication.type': 'org.example.Ldap' }, [], 'It must be simple or kerberos'],
    [{ 'hbase.thrift.security.qop': 'privacy' }, [], 'give hbase.thrift.keytab.file'],
    [{ 'hbase.thrift.security.qop': 'privacy,integrity' }, KEYTAB, 'it is one of'],
    [
      { 'hbase.thrift.security.qop': 'integrity', 'hbase.regionserver.thrift.framed': 'true' },
      KEYTAB,
      'hbase.regionserver.thrift.framed = true and hbase.thrift.security.qop: HBase',
    ],
    [
      { 'hbase.thrift.security.qop': 'integrity', 'hbase.regionserver.thrift.server.type': 'hsha' },
      KEYTAB,
      'Leave hbase.regionserver.thrift.server.type out',
    ],
    [
      { 'hbase.thrift.security.qop': 'privacy', 'hbase.thrift.spnego.keytab.file': '/k' },
      KEYTAB,
      'not encrypted without --tls-certificate',
    ],
    [KERBEROS, [], 'give hbase.regionserver.keytab.file, or --kerberos-service-keytab'],
    [{ 'hbase.rest.authentication.token.validity': '0' }, KEYTAB, 'a whole number of seconds from 1'],
    [{ 'hadoop.security.auth_to_local.mechanism': 'heimdal' }, KEYTAB, 'It must be hadoop or mit'],
  ])('%j %j is refused', (keys, args, message) => {
    expect(() => doorsOf(keys, ...args)).toThrow(message)
  })

  test('keys without effect are named', () => {
    const keys = { 'hbase.rest.authentication.kerberos.keytab': '/k', ...THRIFT_KEYS }
    expect(parsedSettings(...withKeys(keys)).idle).toEqual([
      expect.stringContaining('hbase.rest.authentication.kerberos.keytab has no effect'),
      expect.stringContaining('hbase.thrift.keytab.file has no effect'),
    ])
    expect(parsedSettings(...withKeys(THRIFT_KEYS, ...CLUSTER)).idle).toEqual([])
  })

  test('an operator hears that Thrift over HTTP takes no tickets without TLS', () => {
    const keys = { 'hbase.thrift.security.qop': 'privacy' }
    expect(parsedSettings(...withKeys(keys, ...KEYTAB)).idle).toEqual([
      'Thrift over HTTP takes no tickets of Kerberos: hbase.thrift.security.qop = privacy needs TLS there; give --tls-certificate and --tls-key',
    ])
    const tls = ['--tls-certificate', '/c', '--tls-key', '/k']
    expect(parsedSettings(...withKeys(keys, ...KEYTAB, ...tls)).idle).toEqual([])
    expect(parsedSettings(...withKeys({}, ...KEYTAB)).idle).toEqual([])
  })
})

test('a door whose key says so lets no user act for others', () => {
  const keys = { 'hbase.rest.support.proxyuser': 'false', 'hbase.thrift.support.proxyuser': 'true' }
  expect(parsedSettings(...withKeys(keys, ...KEYTAB)).guard?.closedToActing).toEqual(new Set(['rest']))
  expect(parsedSettings(...KEYTAB).guard?.closedToActing).toBeUndefined()
})
