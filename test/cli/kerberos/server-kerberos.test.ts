import { type Logger, pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { openClusterKerberos } from '../../../src/cli/kerberos/cluster-login.ts'
import { LoginWatch } from '../../../src/cli/kerberos/login-watch.ts'
import { openServerKerberos } from '../../../src/cli/kerberos/server-kerberos.ts'
import type { ClusterKerberosSpec } from '../../../src/cli/settings/kerberos-cluster-options.ts'
import { FakeKerberos } from '../../harness/kerberos/fake-kerberos.ts'
import { parsedSettings } from '../parsed-settings.ts'

interface Line {
  readonly level: number
  readonly msg: string
}

function logTo(lines: Line[]): Logger {
  return pino({}, { write: (line) => void lines.push(JSON.parse(line) as Line) })
}

function spec(...args: string[]): ClusterKerberosSpec {
  const { store } = parsedSettings('--store', 'hbase:a:1', '--cluster-authentication', 'kerberos', ...args)
  return (store as { kerberos: ClusterKerberosSpec }).kerberos
}

describe('the login to a cluster', () => {
  test('is by a principal of this machine; the servers are hbase/_HOST of its realm', async () => {
    const kerberos = new FakeKerberos()
    const keytab = ['--kerberos-principal', 'tidegate/_HOST@R', '--kerberos-keytab', '/k']
    const cluster = await openClusterKerberos(kerberos, spec(...keytab), async () => 'me.example')
    expect(kerberos.logins).toEqual([{ principal: 'tidegate/me.example@R', keytab: '/k', cache: undefined }])
    expect(cluster).toMatchObject({
      masterPrincipal: 'hbase/_HOST@R',
      regionServerPrincipal: 'hbase/_HOST@R',
      protections: ['authentication'],
      mayFallBack: false,
    })
    await expect(cluster.hostName?.('127.0.0.1')).resolves.toMatch(/./)
  })

  test('of one stated principal has it for both kinds of servers', async () => {
    const stated = ['-D', 'hbase.regionserver.kerberos.principal=rs/_HOST']
    const noReverse = ['-D', 'hbase.unsafe.client.kerberos.hostname.disable.reversedns=true']
    const cluster = await openClusterKerberos(new FakeKerberos(), spec(...stated, ...noReverse))
    expect(cluster).toMatchObject({
      masterPrincipal: 'rs/_HOST@CACHE.EXAMPLE',
      regionServerPrincipal: 'rs/_HOST@CACHE.EXAMPLE',
    })
    expect(cluster.hostName).toBeUndefined()
  })
})

describe('a watch of a login', () => {
  test('logs a failed renewal, the end and the renewal, each once', () => {
    const lines: Line[] = []
    const login = { principal: 'a@R', secondsLeft: 600, trouble: undefined as string | undefined }
    const watch = new LoginWatch(login, logTo(lines))
    watch.look()
    expect(watch.trouble).toBeUndefined()
    login.trouble = 'the KDC is away'
    watch.look()
    watch.look()
    login.secondsLeft = 0
    watch.look()
    expect(watch.trouble).toBe(
      'the ticket of a@R has expired, so that the cluster refuses it: the KDC is away',
    )
    login.secondsLeft = 36_000
    login.trouble = undefined
    watch.look()
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [40, 'the ticket of a@R cannot be renewed: the KDC is away; it ends in 600 s'],
      [50, 'the ticket of a@R has expired, so that the cluster refuses it: the KDC is away'],
      [30, 'the ticket of a@R is renewed again'],
    ])
  })
})

describe('Kerberos of a server', () => {
  const { guard } = parsedSettings('--kerberos-service-keytab', '/s')

  test('reports troubles and seconds of the login, and closes all', async () => {
    const kerberos = new FakeKerberos()
    const needs = { guard, cluster: spec('--kerberos-cache', 'c') }
    const opened = await openServerKerberos(async () => kerberos, needs, logTo([]))
    expect(opened.doors?.serviceAt('rest')).toBeDefined()
    expect(opened.troubles()).toEqual([])
    expect([...opened.metrics[0]!.read()]).toEqual([
      { labels: { principal: 'cached@CACHE.EXAMPLE' }, value: 36_000 },
    ])
    kerberos.secondsLeft = 0
    expect(opened.troubles()).toEqual([
      'the ticket of cached@CACHE.EXAMPLE has expired, so that the cluster refuses it (renew it in its cache by kinit, or use --kerberos-keytab)',
    ])
    await opened.close()
    expect(kerberos).toMatchObject({ open: 0, isClosed: true })
  })

  test('has neither metric nor trouble where clients alone log in', async () => {
    const opened = await openServerKerberos(
      async () => new FakeKerberos(),
      { guard, cluster: undefined },
      logTo([]),
    )
    expect(opened).toMatchObject({ cluster: undefined, metrics: [] })
    expect(opened.troubles()).toEqual([])
    await opened.close()
  })

  test('that cannot open says why, and leaves nothing open', async () => {
    const kerberos = new FakeKerberos()
    kerberos.emptyKeytab = '/none'
    const cluster = spec('--kerberos-principal', 'a@R', '--kerberos-keytab', '/none')
    await expect(
      openServerKerberos(async () => kerberos, { guard, cluster }, logTo([])),
    ).rejects.toMatchObject({
      name: 'StartError',
      message: 'Kerberos: /none has no key',
    })
    expect(kerberos).toMatchObject({ open: 0, isClosed: true })
  })
})
