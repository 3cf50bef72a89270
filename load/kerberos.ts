/**
 * The cost of a secured cluster's protections for Tidegate in front of it: `npm run bench:kerberos`. Starts a KDC and a real HBase of its own (Java
 * and Maven are needed), or uses those of `npm run test:kerberos -- --serve` where TIDEGATE_KDC names them.
 *
 * One store for each protection of native RPC works in turn, and the median of its rounds is shown beside that of `authentication`, whose
 * messages go as they are without Kerberos. Only the ratios mean something.
 */

import { join } from 'node:path'
import { openScanner } from '../src/gateway/reads/scanner.ts'
import { familyDescriptor, tableDescriptor } from '../src/model/descriptor.ts'
import { MutationBatch } from '../src/model/mutation.ts'
import { get, scan } from '../src/model/query.ts'
import { parseTableName } from '../src/model/table-name.ts'
import { OWN_CALL } from '../src/store/call.ts'
import type { Store } from '../src/store/store.ts'
import type { Protection } from '../src/wire/sasl/sasl.ts'
import { Kdc } from '../test/harness/kerberos/kdc.ts'
import { PARTS_VARIABLE, type RunningHBase, runningHBase } from '../test/harness/kerberos/running-parts.ts'
import { startSecuredHBase } from '../test/harness/kerberos/secured-hbase.ts'
import { SecuredStores } from '../test/harness/kerberos/secured-store.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'

const TABLE = parseTableName('bench')
const ROWS = 20_000
const VALUE_BYTES = 100
const TOGETHER = 64
const ROUND_MS = 1_000
const ROUNDS = 5
const GET_LIMITS = { bytes: Number.MAX_SAFE_INTEGER }
const SCAN_LIMITS = { rows: 1_000, bytes: 4 * 1024 * 1024, allowPartial: false }

const SIDES: readonly (readonly [name: string, protection: Protection, asksForAes: boolean])[] = [
  ['authentication', 'authentication', false],
  ['integrity', 'integrity', false],
  ['privacy', 'privacy', false],
  ['privacy with AES of HBase', 'privacy', true],
]

/** One piece of work. Resolves to its number of rows. */
type Work = (store: Store) => Promise<number>

const rowOf = (i: number): Buffer => Buffer.from(`row${String(i).padStart(6, '0')}`)
const anyRow = (): Buffer => rowOf(Math.floor(Math.random() * ROWS))

function putsOf(rows: readonly Buffer[]): MutationBatch {
  const batch = new MutationBatch()
  for (const row of rows)
    batch.put(row, Buffer.from('f'), Buffer.from('q'), Buffer.alloc(VALUE_BYTES, 'v')).endMutation()
  return batch
}

async function write(store: Store, rows: readonly Buffer[]): Promise<number> {
  const failures = await store.rows.mutate(TABLE, putsOf(rows), OWN_CALL)
  if (failures.length > 0) throw failures[0]!.error
  return rows.length
}

async function read(store: Store): Promise<number> {
  const { counts } = await store.rows.get(TABLE, [get(anyRow())], GET_LIMITS, OWN_CALL)
  if (counts[0] !== 1) throw new Error('a row is missing')
  return 1
}

async function scanAll(store: Store): Promise<number> {
  const scanner = await openScanner(store, TABLE, scan(), OWN_CALL)
  let rows = 0
  for (;;) {
    const { results, ended } = await scanner.next(SCAN_LIMITS, OWN_CALL)
    rows += results.counts.length
    if (ended === 'scan') break
  }
  await scanner.close()
  if (rows !== ROWS) throw new Error(`a scan of ${rows} rows`)
  return rows
}

const WORKS: readonly (readonly [name: string, together: number, work: Work])[] = [
  ['gets', TOGETHER, read],
  ['puts', TOGETHER, (store) => write(store, [anyRow()])],
  ['batches of 100 puts', 4, (store) => write(store, Array.from({ length: 100 }, anyRow))],
  [`scans of ${ROWS} rows`, 1, scanAll],
]

interface Round {
  readonly rowsASecond: number
  /** Microseconds of this process's processor a row. */
  readonly cpuMicros: number
}

async function round(store: Store, together: number, work: Work): Promise<Round> {
  const [begun, cpu] = [performance.now(), process.cpuUsage()]
  let rows = 0
  const client = async (): Promise<void> => {
    while (performance.now() - begun < ROUND_MS) rows += await work(store)
  }
  await Promise.all(Array.from({ length: together }, client))
  const { user, system } = process.cpuUsage(cpu)
  return { rowsASecond: (rows * 1000) / (performance.now() - begun), cpuMicros: (user + system) / rows }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}

async function measure(stores: readonly Store[]): Promise<void> {
  for (const [name, together, work] of WORKS) {
    const rounds: Round[][] = stores.map(() => [])
    for (let i = 0; i <= ROUNDS; i++)
      for (const [side, store] of stores.entries()) {
        const made = await round(store, together, work)
        // The first round warms both sides up.
        if (i > 0) rounds[side]!.push(made)
      }
    const medians = rounds.map((each) => ({
      rowsASecond: median(each.map(({ rowsASecond }) => rowsASecond)),
      cpuMicros: median(each.map(({ cpuMicros }) => cpuMicros)),
    }))
    const [plain] = medians
    process.stdout.write(`${name}, ${together} at a time\n`)
    for (const [side, { rowsASecond, cpuMicros }] of medians.entries()) {
      const speed = (rowsASecond / plain!.rowsASecond).toFixed(2)
      const cost = (cpuMicros / plain!.cpuMicros).toFixed(2)
      process.stdout.write(
        `  ${SIDES[side]![0].padEnd(26)} ${String(Math.round(rowsASecond)).padStart(8)} rows/s ${speed}   ${cpuMicros.toFixed(1).padStart(7)} us a row ${cost}\n`,
      )
    }
  }
}

async function measureOn(hbase: RunningHBase): Promise<void> {
  const stores = new SecuredStores(hbase)
  const { folder, realm } = hbase.realm
  try {
    const login = await stores.logIn({
      principal: `hbase/localhost@${realm}`,
      keytab: join(folder, 'hbase.localhost.keytab'),
    })
    const opened = await Promise.all(
      SIDES.map(([, protection, asksForAes]) =>
        stores.open(login, { protections: [protection], asksForAes }),
      ),
    )
    const [first] = opened
    await first!.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
    for (let i = 0; i < ROWS; i += 1_000)
      await write(
        first!,
        Array.from({ length: 1_000 }, (_, j) => rowOf(i + j)),
      )
    await measure(opened)
    await first!.catalog.disableTable(TABLE, OWN_CALL)
    await first!.catalog.deleteTable(TABLE, OWN_CALL)
  } finally {
    await stores.close()
  }
}

async function main(): Promise<void> {
  if (process.env[PARTS_VARIABLE] !== undefined) {
    await measureOn(runningHBase())
    return
  }
  const missing = missingTools()
  if (missing.length > 0) throw new Error(`this machine has no ${missing.join(' and no ')}`)
  const kdc = await Kdc.start()
  try {
    const hbase = await startSecuredHBase(kdc, { aes: true, gateways: false })
    try {
      await measureOn({ realm: kdc, ports: hbase.ports })
    } finally {
      await hbase.stop()
    }
  } finally {
    await kdc.close()
  }
}

await main()
