import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import {
  addKerberosOptions,
  clusterKerberosOf,
  type KerberosFlags,
  readKerberos,
  ticketFor,
} from '../../../src/cli/remote/kerberos-flags.ts'
import { FakeKerberos } from '../../harness/kerberos/fake-kerberos.ts'

function flagsOf(...args: string[]): KerberosFlags & { readonly user?: string } {
  const command = addKerberosOptions(new Command().option('--user <name>'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  return command.parse(args, { from: 'user' }).opts()
}

const unasked = (): never => expect.unreachable('no Kerberos is asked for')

const ENDPOINT = { host: '127.0.0.1', port: 1 }
const HTTP = { isHttp: true, isEncrypted: false }

describe('the login of a command', () => {
  test('is none without a flag, and nothing is opened', async () => {
    await expect(readKerberos(flagsOf(), unasked)).resolves.toBeUndefined()
    await expect(readKerberos(flagsOf('--user', 'a'), unasked)).resolves.toBeUndefined()
  })

  test.each([
    [['--kerberos'], {}],
    [['--kerberos-cache', 'FILE:/c'], { cache: 'FILE:/c' }],
    [['--kerberos-principal', 'a@R'], { principal: 'a@R' }],
    [['--kerberos-principal', 'a@R', '--kerberos-keytab', '/k'], { principal: 'a@R', keytab: '/k' }],
  ])('%j', async (args, expected) => {
    const kerberos = new FakeKerberos()
    await readKerberos(flagsOf(...args), async () => kerberos)
    expect(kerberos.logins).toEqual([expected])
  })

  test.each([
    [['--kerberos-keytab', '/k'], '--kerberos-keytab needs --kerberos-principal'],
    [
      ['--kerberos-principal', 'a@R', '--kerberos-keytab', '/k', '--kerberos-cache', 'c'],
      'do not go together',
    ],
    [['--kerberos', '--user', 'a'], '--user and a login by Kerberos do not go together'],
    [['--server-principal', 'hbase/x'], '--server-principal needs --kerberos'],
  ])('%j is refused', async (args, message) => {
    await expect(readKerberos(flagsOf(...args), async () => new FakeKerberos())).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(message),
    })
  })

  test('that fails ends the command with a line', async () => {
    const kerberos = new FakeKerberos()
    kerberos.emptyKeytab = '/k'
    const flags = flagsOf('--kerberos-principal', 'a@R', '--kerberos-keytab', '/k')
    await expect(readKerberos(flags, async () => kerberos)).rejects.toMatchObject({
      name: 'StartError',
      message: 'Kerberos: /k has no key',
    })
  })
})

describe('the servers of a command', () => {
  test('are hbase/_HOST of the login’s realm, and HTTP/_HOST over HTTP', async () => {
    const kerberos = (await readKerberos(flagsOf('--kerberos'), async () => new FakeKerberos()))!
    expect(clusterKerberosOf(kerberos, false)).toMatchObject({
      masterPrincipal: 'hbase/_HOST@CACHE.EXAMPLE',
      regionServerPrincipal: 'hbase/_HOST@CACHE.EXAMPLE',
      protections: ['privacy', 'integrity', 'authentication'],
      mayFallBack: false,
    })
    const { target } = await ticketFor(kerberos, ENDPOINT, HTTP)
    expect(target).toMatch(/^HTTP\/[^_@]+@CACHE\.EXAMPLE$/)
    const raw = await ticketFor(kerberos, ENDPOINT, { isHttp: false, isEncrypted: true })
    expect(raw.target).toMatch(/^hbase\/[^_@]+@CACHE\.EXAMPLE$/)
    // TLS protects already.
    expect(raw.protections[0]).toBe('authentication')
  })

  test('are those of the flag', async () => {
    const flags = flagsOf('--kerberos', '--server-principal', 'thrift/gateway.example@S')
    const kerberos = (await readKerberos(flags, async () => new FakeKerberos()))!
    expect(clusterKerberosOf(kerberos, true).masterPrincipal).toBe('thrift/gateway.example@S')
    await expect(ticketFor(kerberos, ENDPOINT, HTTP)).resolves.toMatchObject({
      target: 'thrift/gateway.example@S',
    })
  })
})
