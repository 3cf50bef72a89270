/**
 * HBase's own secure REST and Thrift servers and Tidegate in front of the same cluster, asked cases of the conformance suite by the same user, who
 * acts as itself on the cluster: equal answers.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filterCompare } from '../../../conformance/src/cases/filter-compare.ts'
import { filterRest } from '../../../conformance/src/cases/filter-rest.ts'
import { restDelete } from '../../../conformance/src/cases/rest-delete.ts'
import { restRow } from '../../../conformance/src/cases/rest-row.ts'
import { restScan } from '../../../conformance/src/cases/rest-scan.ts'
import { restScanner } from '../../../conformance/src/cases/rest-scanner.ts'
import { restSchema } from '../../../conformance/src/cases/rest-schema.ts'
import { thrift1Reads } from '../../../conformance/src/cases/thrift1-reads.ts'
import { thrift1Scans } from '../../../conformance/src/cases/thrift1-scans.ts'
import { thrift1Tables } from '../../../conformance/src/cases/thrift1-tables.ts'
import { thrift2Deletes } from '../../../conformance/src/cases/thrift2-deletes.ts'
import { thrift2Puts } from '../../../conformance/src/cases/thrift2-puts.ts'
import { thrift2Reads } from '../../../conformance/src/cases/thrift2-reads.ts'
import { thrift2Scans } from '../../../conformance/src/cases/thrift2-scans.ts'
import type { Scenario } from '../../../conformance/src/runner/case.ts'
import type { Target } from '../../../conformance/src/runner/exchange.ts'
import { gapOf, readLedger } from '../../../conformance/src/runner/ledger.ts'
import { NO_ANSWER, runScenario } from '../../../conformance/src/runner/run-scenario.ts'
import { isUndecided, readUndecided } from '../../../conformance/src/runner/undecided.ts'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import type { ChildServer } from '../../harness/child-server.ts'
import { runningHBase } from '../../harness/kerberos/running-parts.ts'
import { startTidegate } from '../../harness/tidegate-process.ts'
import { askLogin } from '../http/compared-answers.ts'
import { RealmVariables } from '../thrift/kerberos-thrift.ts'
import { Relay } from './login-relays.ts'

/** Of large scenarios every third case: the conformance suite asks them all without Kerberos. */
const SCENARIOS: readonly Scenario[] = [
  third(restRow),
  third(restScan),
  restScanner,
  restDelete,
  restSchema,
  third(filterRest),
  third(filterCompare),
  third(thrift1Tables),
  thrift1Reads,
  thrift1Scans,
  thrift2Puts,
  thrift2Deletes,
  thrift2Reads,
  thrift2Scans,
]
/** HBase's secure REST reads `doAs` in each query, and answers 400 where that is no UTF-8. */
const NO_UTF_8 = /%ff/i
const ANSWER_MS_MAX = 30_000
const START_MS_MAX = 60_000
const SCENARIO_MS_MAX = 240_000

const { realm, ports } = runningHBase()
const full = (name: string): string => `${name}@${realm.realm}`
const GATEWAY = `tidegate/compared-${process.pid}`
/** The cluster's superuser, since cases make and change tables. */
const USER = 'hbase/localhost'
const ledger = readLedger()
const groups = readUndecided()

let folder: string
let variables: RealmVariables
let kerberos: Kerberos
let login: KerberosLogin
let tidegate: ChildServer | undefined
let real: Target
let own: Target
const relays: Relay[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'compared-doors-'))
  variables = new RealmVariables(realm)
  const [gateway, services] = [join(folder, 'gateway'), join(folder, 'services')]
  await realm.addPrincipal(GATEWAY, { keytab: gateway })
  await realm.keytab(services, ['HTTP/localhost', 'hbase/localhost'])
  kerberos = openKerberos()
  login = await kerberos.logIn({ principal: full(USER), keytab: services })
  tidegate = await startTidegate(
    `hbase:127.0.0.1:${ports.zookeeper}/hbase`,
    '--kerberos-principal',
    full(GATEWAY),
    '--kerberos-keytab',
    gateway,
    '--kerberos-service-keytab',
    services,
    '--cluster-user',
    'proxy',
  )
  const [rest, thrift] = [tidegate.port('rest'), tidegate.port('thrift')]
  real = await target(ports.rest, [ports.thrift1, ports.thrift2], 'thrift/localhost')
  own = await target(rest, [thrift, thrift], 'hbase/localhost')
}, START_MS_MAX)

afterAll(async () => {
  for (const relay of relays) await relay.close()
  await tidegate?.stop()
  login?.close()
  await kerberos?.close()
  variables?.restore()
  rmSync(folder, { recursive: true, force: true })
})

/** Relays to a server's doors, which log in as the user. `service`: the principal of its Thrift ports. */
async function target(rest: number, [thrift1, thrift2]: [number, number], service: string): Promise<Target> {
  const token = (await login.negotiate(full('HTTP/localhost'))).toString('base64')
  const { kept } = await askLogin({
    port: rest,
    path: '/version',
    headers: { authorization: `Negotiate ${token}` },
  })
  expect(kept).toMatch(/^hadoop\.auth=/)
  const ticket = { login, target: full(service), protections: ['authentication'] as const }
  const opened = await Promise.all([
    Relay.rest(rest, `Cookie: ${kept}`),
    Relay.thrift(thrift1, ticket),
    Relay.thrift(thrift2, ticket),
  ])
  relays.push(...opened)
  const [ofRest, ofThrift1, ofThrift2] = opened.map(({ port }) => ({ host: '127.0.0.1', port }))
  return { rest: `http://127.0.0.1:${ofRest!.port}`, thrift1: ofThrift1!, thrift2: ofThrift2! }
}

function third(scenario: Scenario): Scenario {
  return { ...scenario, cases: scenario.cases.filter((_, index) => index % 3 === 0) }
}

function isComparable({ id, requests }: Scenario['cases'][number]): boolean {
  if (gapOf(ledger, id, 'hbase') !== undefined || isUndecided(groups, id)) return false
  return !requests.some((request) => request.door === 'rest' && NO_UTF_8.test(request.path))
}

test.concurrent.each(SCENARIOS)(
  '$name',
  async (scenario) => {
    const ofHBase = await runScenario(scenario, real, ANSWER_MS_MAX)
    const ofTidegate = await runScenario(scenario, own, ANSWER_MS_MAX)
    const ids = scenario.cases.filter(isComparable).map(({ id }) => id)
    expect(ids).not.toEqual([])
    const answersOf = (exchanges: ReadonlyMap<string, string>): [string, string | undefined][] =>
      ids.map((id) => [id, exchanges.get(id)])
    expect(answersOf(ofHBase).filter(([, exchange]) => exchange?.includes(NO_ANSWER) !== false)).toEqual([])
    expect(answersOf(ofTidegate)).toEqual(answersOf(ofHBase))
  },
  SCENARIO_MS_MAX,
)
