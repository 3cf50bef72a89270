import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import type { KerberosDoorSettings } from '../../../../src/gateway/identity/kerberos/kerberos-door-settings.ts'
import { openKerberosLogins } from '../../../../src/gateway/identity/kerberos/open-kerberos-logins.ts'
import { KerberosError } from '../../../../src/kerberos/kerberos.ts'
import { canonicalHost } from '../../../../src/kerberos/names/server-principal.ts'
import { FakeKerberos } from '../../../harness/kerberos/fake-kerberos.ts'

function settings(changes: Partial<KerberosDoorSettings> = {}): KerberosDoorSettings {
  const http = { principal: 'HTTP/_HOST@R', keytab: '/k' }
  return {
    services: { rest: http, web: { ...http }, rpc: { keytab: '/k' } },
    protections: { thrift: ['privacy'], rpc: ['authentication'] },
    takesAes: false,
    rules: 'DEFAULT',
    restRules: undefined,
    mechanism: 'hadoop',
    cookie: { secretFile: undefined, validitySeconds: 1, domain: undefined, path: undefined },
    ...changes,
  }
}

test('places with one principal share a service; _HOST is this machine', async () => {
  const kerberos = new FakeKerberos()
  const logins = await openKerberosLogins(kerberos, settings(), 'R')
  const host = await canonicalHost(hostname())
  expect(kerberos.services).toEqual([{ principal: `HTTP/${host}@R`, keytab: '/k' }, { keytab: '/k' }])
  expect(logins.serviceAt('rest')).toBe(logins.serviceAt('web'))
  expect(logins.serviceAt('rpc')).toBeDefined()
  expect(logins.serviceAt('rpc')).not.toBe(logins.serviceAt('web'))
  expect(logins.serviceAt('thrift')).toBeUndefined()
  expect(logins.protectionsAt('thrift')).toEqual(['privacy'])
  // The keytab may have any principals: clients of native RPC learn the usual one.
  expect(logins.rpcPrincipal).toBe(`hbase/${host}@R`)
  expect(logins.zookeeper).toBe(logins.serviceAt('rpc'))
  logins.close()
  expect(kerberos.open).toBe(0)
})

test('clients of ZooKeeper may use any principal in the keytab of native RPC', async () => {
  const kerberos = new FakeKerberos()
  const rpc = { principal: 'hbase/h@R', keytab: '/k' }
  const logins = await openKerberosLogins(kerberos, settings({ services: { rpc } }), 'R')
  expect(kerberos.services).toEqual([rpc, { keytab: '/k' }])
  expect(logins.zookeeper).not.toBe(logins.serviceAt('rpc'))
  logins.close()
  expect(kerberos.open).toBe(0)
  const web = await openKerberosLogins(kerberos, settings({ services: { web: { keytab: '/k' } } }), 'R')
  expect(web.zookeeper).toBeUndefined()
})

test('REST may have rules of its own', async () => {
  const logins = await openKerberosLogins(new FakeKerberos(), settings({ restRules: 'RULE:[1:r-$1]' }), 'R')
  expect(logins.userOf('alice@S', 'rest')).toBe('r-alice')
  expect(logins.userOf('alice@R', 'web')).toBe('alice')
  expect(() => logins.userOf('alice@S', 'web')).toThrow('no rule')
})

test('the default realm is that of this machine, else that of the service', async () => {
  const own = await openKerberosLogins(new FakeKerberos(), settings(), 'M')
  expect(own.userOf('alice@M', 'rpc')).toBe('alice')
  expect(() => own.userOf('alice@R', 'rpc')).toThrow('no rule')
  const ofService = await openKerberosLogins(new FakeKerberos(), settings(), undefined)
  expect(ofService.userOf('alice@R', 'rpc')).toBe('alice')
})

test('a keytab without the key leaves no service open', async () => {
  const kerberos = new FakeKerberos()
  kerberos.emptyKeytab = '/empty'
  const services = { rest: { keytab: '/k' }, rpc: { keytab: '/empty' } }
  await expect(openKerberosLogins(kerberos, settings({ services }), 'R')).rejects.toThrow(KerberosError)
  expect(kerberos.services).toHaveLength(1)
  expect(kerberos.open).toBe(0)
})
